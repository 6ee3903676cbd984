CREATE INDEX entries_by_turn ON entries (scope, CASE category WHEN 'core' THEN 2 - ((scope = 'user' AND source <> 'owner' AND source NOT GLOB 'import:*'
                 AND source NOT GLOB 'folder:*')
                OR (scope GLOB 'workspace:*' AND source <> 'owner'
                    AND source NOT GLOB 'import:*')) ELSE 0 END, written_at, id)
    WHERE state = 'active';;
CREATE INDEX entries_by_least_bytes ON entries (scope, (CASE WHEN key GLOB '*[^!-~]*' THEN 0 ELSE length(key) END
      + CASE WHEN octet_length(content) = length(content) AND NOT instr(content, char(127))
              AND octet_length(json_quote(replace(replace(content, char(10), ''), '"', ''))) = octet_length(replace(replace(content, char(10), ''), '"', '')) + 2
             THEN octet_length(trim(content, char(9, 10, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8239, 8287, 12288)))
             WHEN instr(content, char(0)) THEN 0
             WHEN content NOT GLOB '*[^' || char(9, 10, 32, 45, 126, 160, 45, 172, 174, 45, 846) || ']*'
             THEN octet_length(trim(content, char(9, 10, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8239, 8287, 12288)))
             WHEN replace(replace(replace(replace(replace(content, char(13), ''), char(173), ''), char(8203), ''), char(8205), ''), char(65039), '') GLOB '*[' || char(1, 45, 8, 11, 45, 31, 127, 45, 159, 173, 847, 1564, 4447, 45, 4448, 6068, 45, 6069, 6155, 45, 6159, 8203, 45, 8207, 8232, 45, 8238, 8288, 45, 8303, 12644, 65024, 45, 65039, 65279, 65440, 65520, 45, 65531, 113824, 45, 113827, 119155, 45, 119162, 917504, 45, 921599) || ']*' THEN 0
             ELSE octet_length(trim(replace(replace(replace(replace(replace(content, char(13), ''), char(173), ''), char(8203), ''), char(8205), ''), char(65039), ''), char(9, 10, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8239, 8287, 12288))) END)) WHERE state = 'active';;
