<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context><name>AboutDialog</name><message><source>About Keepsake</source><translation>Über Keepsake</translation></message></context>
<context><name>AboutDialog</name><message><source>Backups</source><translation>Sicherungen</translation></message></context>
<context><name>AboutDialog</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>AboutDialog</name><message><source>Copy for a bug report</source><translation>Für einen Fehlerbericht kopieren</translation></message></context>
<context><name>AboutDialog</name><message><source>Error log</source><translation>Fehlerprotokoll</translation></message></context>
<context><name>AboutDialog</name><message><source>Keepsake is free software under the {licence} licence. Inter and JetBrains Mono come under the SIL Open Font License, Qt under the LGPL. What else it is made of, and under which licences, is in the packages beside it.</source><translation>Keepsake ist freie Software unter der Lizenz {licence}. Inter und JetBrains Mono stehen unter der SIL Open Font License, Qt unter der LGPL. Woraus es sonst besteht und unter welchen Lizenzen, steht in den Paketen daneben.</translation></message></context>
<context><name>AboutDialog</name><message><source>Show</source><translation>Zeigen</translation></message></context>
<context><name>AboutDialog</name><message><source>Show {name}</source><translation>{name} zeigen</translation></message></context>
<context><name>AboutDialog</name><message><source>The desk where you curate what assistants remember.</source><translation>Der Schreibtisch für alles, was Assistenten behalten.</translation></message></context>
<context><name>AboutDialog</name><message><source>Vault</source><translation>Tresor</translation></message></context>
<context><name>AboutDialog</name><message><source>Window settings</source><translation>Fenstereinstellungen</translation></message></context>
<context><name>ActivityView</name><message><source>Activity</source><translation>Aktivität</translation></message></context>
<context><name>ActivityView</name><message><source>Everybody</source><translation>Alle</translation></message></context>
<context><name>ActivityView</name><message><source>Nothing happened yet</source><translation>Noch nichts geschehen</translation></message></context>
<context><name>ActivityView</name><message><source>Shows what one agent did, or you.</source><translation>Zeigt, was ein Agent getan hat, oder du.</translation></message></context>
<context><name>ActivityView</name><message><source>Undo everything {who} did since then</source><translation>Alles rückgängig machen, was seither von {who} kam</translation></message></context>
<context><name>ActivityView</name><message><source>Undo the last hour of {who} ({n})</source><translation>Letzte Stunde von {who} rückgängig machen ({n})</translation></message></context>
<context><name>ActivityView</name><message><source>Undo this</source><translation>Das rückgängig machen</translation></message></context>
<context><name>ActivityView</name><message><source>What you and your agents write is listed here, and can be undone.</source><translation>Was du und deine Agenten schreiben, steht hier und lässt sich rückgängig machen.</translation></message></context>
<context><name>ActivityView</name><message><source>Whose activity</source><translation>Wessen Aktivität</translation></message></context>
<context><name>ActivityView</name><message><source>You</source><translation>Du</translation></message></context>
<context><name>ActivityView</name><message><source>undone</source><translation>rückgängig gemacht</translation></message></context>
<context><name>AddMirror</name><message><source>Each memory becomes a note there, and what you edit there comes back. Notes already in the folder come in. A folder kept by git, Syncthing or a cloud carries memory between machines.</source><translation>Jede Erinnerung wird dort zu einer Notiz, und was du dort änderst, kommt zurück. Notizen, die schon im Ordner sind, kommen herein. Ein Ordner unter git, Syncthing oder in einer Cloud trägt Erinnerungen von Rechner zu Rechner.</translation></message></context>
<context><name>AddMirror</name><message><source>Edits are</source><translation>Änderungen sind</translation></message></context>
<context><name>AddMirror</name><message><source>Folder</source><translation>Ordner</translation></message></context>
<context><name>AddMirror</name><message><source>Mirror</source><translation>Spiegeln</translation></message></context>
<context><name>AddMirror</name><message><source>Mirror a folder</source><translation>Einen Ordner spiegeln</translation></message></context>
<context><name>AddMirror</name><message><source>Scope</source><translation>Bereich</translation></message></context>
<context><name>AddMirror</name><message><source>Where the notes are kept; it is made if it is not there.</source><translation>Wo die Notizen liegen; fehlt der Ordner, wird er angelegt.</translation></message></context>
<context><name>AddMirror</name><message><source>Whose memories these notes are; new notes become theirs.</source><translation>Wessen Erinnerungen diese Notizen sind; neue kommen dazu.</translation></message></context>
<context><name>AddMirror</name><message><source>Whose name a change in the folder gets in the history.</source><translation>Unter wessen Namen eine Änderung im Ordner im Verlauf steht.</translation></message></context>
<context><name>AddMirror</name><message><source>mine</source><translation>meine</translation></message></context>
<context><name>AddMirror</name><message><source>{agent}'s, as far as it is trusted</source><translation>die von {agent}, soweit ihm vertraut wird</translation></message></context>
<context><name>AgentActions</name><message><source>Saved {name}</source><translation>{name} gespeichert</translation></message></context>
<context><name>AgentActions</name><message><source>The old token no longer works.</source><translation>Das alte Token gilt nicht mehr.</translation></message></context>
<context><name>AgentActions</name><message><source>{name} was added.</source><translation>{name} wurde hinzugefügt.</translation></message></context>
<context><name>AgentCalls</name><message><source>Calls</source><translation>Aufrufe</translation></message></context>
<context><name>AgentCalls</name><message><source>No calls yet</source><translation>Noch keine Aufrufe</translation></message></context>
<context><name>AgentCalls</name><message><source>What it asks and is told shows up here.</source><translation>Was er fragt und erfährt, erscheint hier.</translation></message></context>
<context><name>AgentCalls</name><message><source>What it was told</source><translation>Was er erfuhr</translation></message></context>
<context><name>AgentCalls</name><message><source>blocks</source><translation>Blöcke</translation></message></context>
<context><name>AgentCalls</name><message><source>turns</source><translation>Beiträge</translation></message></context>
<context><name>AgentCalls</name><message><source>waits in review</source><translation>wartet auf Prüfung</translation></message></context>
<context><name>AgentConnect</name><message><source>Automatic: it gets its memory without asking.</source><translation>Automatisch: Es bekommt sein Gedächtnis, ohne zu fragen.</translation></message></context>
<context><name>AgentConnect</name><message><source>By hand:</source><translation>Von Hand:</translation></message></context>
<context><name>AgentConnect</name><message><source>Client</source><translation>Programm</translation></message></context>
<context><name>AgentConnect</name><message><source>Configuration to paste</source><translation>Konfiguration zum Einfügen</translation></message></context>
<context><name>AgentConnect</name><message><source>Connect</source><translation>Verbinden</translation></message></context>
<context><name>AgentConnect</name><message><source>Copy</source><translation>Kopieren</translation></message></context>
<context><name>AgentConnect</name><message><source>Copy the configuration</source><translation>Konfiguration kopieren</translation></message></context>
<context><name>AgentConnect</name><message><source>Disconnect</source><translation>Trennen</translation></message></context>
<context><name>AgentConnect</name><message><source>Give it its memory without asking, through hooks</source><translation>Ihm sein Gedächtnis ungefragt geben, über Hooks</translation></message></context>
<context><name>AgentConnect</name><message><source>Guided: its model asks for memory through tools.</source><translation>Geführt: Sein Modell fragt über Werkzeuge nach dem Gedächtnis.</translation></message></context>
<context><name>AgentConnect</name><message><source>It works once “last seen” above names a moment.</source><translation>Es klappt, sobald oben bei „zuletzt gesehen“ ein Zeitpunkt steht.</translation></message></context>
<context><name>AgentConnect</name><message><source>Keepsake was not set up in {client}.</source><translation>Keepsake war in {client} nicht eingerichtet.</translation></message></context>
<context><name>AgentConnect</name><message><source>No program on this machine is set up for it yet.</source><translation>Noch ist kein Programm auf diesem Rechner dafür eingerichtet.</translation></message></context>
<context><name>AgentConnect</name><message><source>Paste it into its settings.</source><translation>Füge es in seine Einstellungen ein.</translation></message></context>
<context><name>AgentConnect</name><message><source>Set up in {clients}.</source><translation>Eingerichtet in {clients}.</translation></message></context>
<context><name>AgentConnect</name><message><source>The program this agent runs in; Keepsake knows where its settings are.</source><translation>Das Programm, in dem dieser Agent läuft; Keepsake weiß, wo dessen Einstellungen stehen.</translation></message></context>
<context><name>AgentConnect</name><message><source>The settings of {client} hold a token that no agent here has.</source><translation>In den Einstellungen von {client} steht ein Token, das hier kein Agent hat.</translation></message></context>
<context><name>AgentConnect</name><message><source>The settings of {client} name this memory now.</source><translation>In den Einstellungen von {client} steht jetzt dieses Gedächtnis.</translation></message></context>
<context><name>AgentConnect</name><message><source>The settings of {client} no longer name this memory.</source><translation>In den Einstellungen von {client} steht dieses Gedächtnis nicht mehr.</translation></message></context>
<context><name>AgentConnect</name><message><source>What to put into that program if you would rather do it by hand.</source><translation>Was in jenes Programm gehört, wenn du es lieber von Hand tust.</translation></message></context>
<context><name>AgentConnect</name><message><source>Written to {path}.</source><translation>Geschrieben nach {path}.</translation></message></context>
<context><name>AgentConnect</name><message><source>{client} was not found on this machine: it gets this memory once it is installed.</source><translation>{client} wurde auf diesem Rechner nicht gefunden: Es bekommt dieses Gedächtnis, sobald es installiert ist.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Files of coding agents</source><translation>Dateien von Programmieragenten</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>In project files</source><translation>In Projektdateien</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>It is in step from now on.</source><translation>Von nun an im Gleichschritt.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>It is left alone.</source><translation>Es wird in Ruhe gelassen.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Keeping in step</source><translation>Gleichschritt</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Kept by agents</source><translation>Von Agenten geführt</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Leave it alone</source><translation>In Ruhe lassen</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Leave {place} alone from now on? Its files and the memories stay.</source><translation>{place} von nun an in Ruhe lassen? Die Dateien und die Erinnerungen bleiben.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Notes that Claude Code, Codex or Gemini CLI keep themselves are shown here, and projects whose AGENTS.md, GEMINI.md or CLAUDE.md hold memories of yours.</source><translation>Hier stehen Notizen, die Claude Code, Codex oder Gemini CLI selbst führen, und Projekte, deren AGENTS.md, GEMINI.md oder CLAUDE.md Erinnerungen von dir enthalten.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Nothing was found on this machine</source><translation>Auf diesem Rechner wurde nichts gefunden</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Put memories into a project…</source><translation>Erinnerungen in ein Projekt bringen…</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Reading…</source><translation>Wird gelesen…</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Take it out</source><translation>Herausnehmen</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Take the memories out of the files in {folder}? The rest of them stays.</source><translation>Die Erinnerungen aus den Dateien in {folder} herausnehmen? Der Rest bleibt.</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Taking memories out of a project</source><translation>Erinnerungen aus einem Projekt nehmen</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>Writing into a project</source><translation>In ein Projekt schreiben</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>in step</source><translation>im Gleichschritt</translation></message></context>
<context><name>AgentFilesDialog</name><message><source>not in step</source><translation>nicht im Gleichschritt</translation></message></context>
<context><name>AgentForm</name><message><source>Archival</source><translation>Archiv</translation></message></context>
<context><name>AgentForm</name><message><source>Archival lines</source><translation>Archivzeilen</translation></message></context>
<context><name>AgentForm</name><message><source>Characters of what it is told when it connects; some clients drop the rest.</source><translation>Zeichen dessen, was er beim Verbinden erfährt; manche Programme lassen den Rest weg.</translation></message></context>
<context><name>AgentForm</name><message><source>Cloud</source><translation>Cloud</translation></message></context>
<context><name>AgentForm</name><message><source>Core blocks</source><translation>Kernblöcke</translation></message></context>
<context><name>AgentForm</name><message><source>Dialect</source><translation>Dialekt</translation></message></context>
<context><name>AgentForm</name><message><source>Entries at most</source><translation>Höchstens Einträge</translation></message></context>
<context><name>AgentForm</name><message><source>Guidance</source><translation>Anleitung</translation></message></context>
<context><name>AgentForm</name><message><source>How many bytes it is told at the start, before you say a word.</source><translation>Wie viele Byte er zu Beginn erfährt, bevor du ein Wort sagst.</translation></message></context>
<context><name>AgentForm</name><message><source>How many memories it gets at most when it looks something up.</source><translation>Wie viele Erinnerungen er höchstens bekommt, wenn er etwas nachschlägt.</translation></message></context>
<context><name>AgentForm</name><message><source>How many memories it may keep; what was unused the longest goes first.</source><translation>Wie viele Erinnerungen er behalten darf; was am längsten ungenutzt ist, geht zuerst.</translation></message></context>
<context><name>AgentForm</name><message><source>How many such lines it gets at most.</source><translation>Wie viele solcher Zeilen er höchstens bekommt.</translation></message></context>
<context><name>AgentForm</name><message><source>How well a line must fit the message, from 0 to 1.</source><translation>Wie gut eine Zeile zur Nachricht passen muss, von 0 bis 1.</translation></message></context>
<context><name>AgentForm</name><message><source>Hydration budget</source><translation>Anfangsbudget</translation></message></context>
<context><name>AgentForm</name><message><source>Instructions at most</source><translation>Anweisungen höchstens</translation></message></context>
<context><name>AgentForm</name><message><source>It is told these words at every start.</source><translation>Diese Worte erfährt er bei jedem Start.</translation></message></context>
<context><name>AgentForm</name><message><source>Layers</source><translation>Schichten</translation></message></context>
<context><name>AgentForm</name><message><source>Learns asleep</source><translation>Lernt im Schlaf</translation></message></context>
<context><name>AgentForm</name><message><source>Least score</source><translation>Mindestgüte</translation></message></context>
<context><name>AgentForm</name><message><source>May write to</source><translation>Darf schreiben in</translation></message></context>
<context><name>AgentForm</name><message><source>Memories that are muted for cloud are never told to such an agent.</source><translation>Erinnerungen, die für cloud stumm sind, werden so einem Agenten nie gesagt.</translation></message></context>
<context><name>AgentForm</name><message><source>Name</source><translation>Name</translation></message></context>
<context><name>AgentForm</name><message><source>Recall budget</source><translation>Abrufbudget</translation></message></context>
<context><name>AgentForm</name><message><source>Team</source><translation>Team</translation></message></context>
<context><name>AgentForm</name><message><source>The projects it shares with other agents, with commas between.</source><translation>Die Projekte, die er mit anderen Agenten teilt, mit Kommas dazwischen.</translation></message></context>
<context><name>AgentForm</name><message><source>Trust</source><translation>Vertrauen</translation></message></context>
<context><name>AgentForm</name><message><source>What you call this assistant.</source><translation>Wie du diesen Assistenten nennst.</translation></message></context>
<context><name>AgentForm</name><message><source>Whether it also learns from the messages of a team.</source><translation>Ob er auch aus den Nachrichten eines Teams lernt.</translation></message></context>
<context><name>AgentForm</name><message><source>Whether it gets lines of its store room by itself, or only on asking.</source><translation>Ob er Zeilen aus seinem Vorrat von selbst bekommt oder nur auf Nachfrage.</translation></message></context>
<context><name>AgentForm</name><message><source>Whether it keeps things from a conversation by itself once that is over.</source><translation>Ob er nach einem Gespräch von selbst etwas daraus behält.</translation></message></context>
<context><name>AgentForm</name><message><source>Whether it writes by itself, asks you first in Review, or only reads.</source><translation>Ob er selbst schreibt, dich erst unter Prüfen fragt oder nur liest.</translation></message></context>
<context><name>AgentForm</name><message><source>Which kinds of memory it has: the conversation at hand, notes of past conversations, memories.</source><translation>Welche Arten von Gedächtnis er hat: das laufende Gespräch, Notizen früherer, Erinnerungen.</translation></message></context>
<context><name>AgentForm</name><message><source>Which pages it is told first: about you, and its own.</source><translation>Welche Seiten er zuerst erfährt: über dich und seine eigene.</translation></message></context>
<context><name>AgentForm</name><message><source>Which tools it is offered; leave standard unless its maker says otherwise.</source><translation>Welche Werkzeuge er angeboten bekommt; lass standard, wenn sein Hersteller nichts anderes sagt.</translation></message></context>
<context><name>AgentForm</name><message><source>Whose memory it may add to.</source><translation>Wessen Gedächtnis er ergänzen darf.</translation></message></context>
<context><name>AgentForm</name><message><source>Workspaces</source><translation>Arbeitsbereiche</translation></message></context>
<context><name>AgentForm</name><message><source>Your own words to this agent about what to remember</source><translation>Deine Worte an diesen Agenten, was er sich merken soll</translation></message></context>
<context><name>AgentForm</name><message><source>about me</source><translation>über mich</translation></message></context>
<context><name>AgentForm</name><message><source>as proposals</source><translation>als Vorschläge</translation></message></context>
<context><name>AgentForm</name><message><source>at once</source><translation>sofort</translation></message></context>
<context><name>AgentForm</name><message><source>best lines for a message</source><translation>beste Zeilen zu einer Nachricht</translation></message></context>
<context><name>AgentForm</name><message><source>conversations</source><translation>Gespräche</translation></message></context>
<context><name>AgentForm</name><message><source>its own</source><translation>eigenes</translation></message></context>
<context><name>AgentForm</name><message><source>learns from channels it listens to</source><translation>lernt aus Kanälen, denen er zuhört</translation></message></context>
<context><name>AgentForm</name><message><source>long-term</source><translation>Langzeit</translation></message></context>
<context><name>AgentForm</name><message><source>no</source><translation>nein</translation></message></context>
<context><name>AgentForm</name><message><source>off</source><translation>aus</translation></message></context>
<context><name>AgentForm</name><message><source>only when recalled</source><translation>nur auf Abruf</translation></message></context>
<context><name>AgentForm</name><message><source>proposes; you approve</source><translation>schlägt vor; du genehmigst</translation></message></context>
<context><name>AgentForm</name><message><source>reads only</source><translation>liest nur</translation></message></context>
<context><name>AgentForm</name><message><source>session</source><translation>Sitzung</translation></message></context>
<context><name>AgentForm</name><message><source>shop, thesis</source><translation>laden, abschlussarbeit</translation></message></context>
<context><name>AgentForm</name><message><source>what it is told goes to a cloud model</source><translation>was ihm gesagt wird, geht an ein Cloud-Modell</translation></message></context>
<context><name>AgentForm</name><message><source>what its client keeps</source><translation>was sein Programm behält</translation></message></context>
<context><name>AgentForm</name><message><source>working</source><translation>Arbeit</translation></message></context>
<context><name>AgentForm</name><message><source>workspaces</source><translation>Arbeitsbereiche</translation></message></context>
<context><name>AgentForm</name><message><source>writes at once</source><translation>schreibt sofort</translation></message></context>
<context><name>AgentForm</name><message><source>{n} (as the vault)</source><translation>{n} (wie der Tresor)</translation></message></context>
<context><name>AgentNotices</name><message><source>Look</source><translation>Ansehen</translation></message></context>
<context><name>AgentNotices</name><message><source>Review</source><translation>Prüfen</translation></message></context>
<context><name>AgentNotices</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>AgentNotices</name><message><source>forgot {what}</source><translation>{what} vergessen</translation></message></context>
<context><name>AgentNotices</name><message><source>proposed {n}</source><translation>{n} vorgeschlagen</translation></message></context>
<context><name>AgentNotices</name><message><source>wrote {what}</source><translation>{what} geschrieben</translation></message></context>
<context><name>AgentNotices</name><message><source>{agents} {deeds}</source><translation>{agents}: {deeds}</translation></message></context>
<context><name>AgentNotices</name><message><source>{deeds} and {deed}</source><translation>{deeds} und {deed}</translation></message></context>
<context><name>AgentPage</name><message><source>Connect</source><translation>Verbinden</translation></message></context>
<context><name>AgentPage</name><message><source>Discard</source><translation>Verwerfen</translation></message></context>
<context><name>AgentPage</name><message><source>Give access again…</source><translation>Wieder zulassen…</translation></message></context>
<context><name>AgentPage</name><message><source>How a program on this machine gets to use this agent's memory.</source><translation>Wie ein Programm auf diesem Rechner das Gedächtnis dieses Agenten nutzt.</translation></message></context>
<context><name>AgentPage</name><message><source>Last calls</source><translation>Letzte Aufrufe</translation></message></context>
<context><name>AgentPage</name><message><source>New token…</source><translation>Neues Token…</translation></message></context>
<context><name>AgentPage</name><message><source>Revoke…</source><translation>Aussperren…</translation></message></context>
<context><name>AgentPage</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>AgentPage</name><message><source>Settings</source><translation>Einstellungen</translation></message></context>
<context><name>AgentPage</name><message><source>Views of this agent</source><translation>Ansichten dieses Agenten</translation></message></context>
<context><name>AgentPage</name><message><source>What it asked for lately, and what it got.</source><translation>Wonach er zuletzt gefragt und was er bekommen hat.</translation></message></context>
<context><name>AgentPage</name><message><source>What it may do and is told.</source><translation>Was er darf und erfährt.</translation></message></context>
<context><name>AgentPage</name><message><source>last seen {when}</source><translation>zuletzt gesehen: {when}</translation></message></context>
<context><name>AgentPage</name><message><source>never seen</source><translation>nie gesehen</translation></message></context>
<context><name>AgentPage</name><message><source>revoked</source><translation>ausgesperrt</translation></message></context>
<context><name>AgentsDialog</name><message><source>A new token for {name}? The old one stops at once.</source><translation>Ein neues Token für {name}? Das alte gilt sofort nicht mehr.</translation></message></context>
<context><name>AgentsDialog</name><message><source>Add</source><translation>Hinzufügen</translation></message></context>
<context><name>AgentsDialog</name><message><source>Add an agent</source><translation>Agent hinzufügen</translation></message></context>
<context><name>AgentsDialog</name><message><source>Agents</source><translation>Agenten</translation></message></context>
<context><name>AgentsDialog</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>AgentsDialog</name><message><source>Its token is shown only now, and you have not copied it. Close all the same?</source><translation>Sein Token wird nur jetzt gezeigt, und du hast es nicht kopiert. Trotzdem schließen?</translation></message></context>
<context><name>AgentsDialog</name><message><source>Name of a new agent</source><translation>Neuer Agent</translation></message></context>
<context><name>AgentsDialog</name><message><source>Name your assistant on the left; then choose its program and press Connect.</source><translation>Benenne links deinen Assistenten; wähle dann sein Programm und drücke „Verbinden“.</translation></message></context>
<context><name>AgentsDialog</name><message><source>New token</source><translation>Neues Token</translation></message></context>
<context><name>AgentsDialog</name><message><source>No agents yet</source><translation>Noch keine Agenten</translation></message></context>
<context><name>AgentsDialog</name><message><source>Revoke</source><translation>Aussperren</translation></message></context>
<context><name>AgentsDialog</name><message><source>Revoked</source><translation>Ausgesperrt</translation></message></context>
<context><name>AgentsDialog</name><message><source>Shut {name} out? Its token stops at once; its memory stays.</source><translation>{name} aussperren? Das Token gilt sofort nicht mehr; die Erinnerungen bleiben.</translation></message></context>
<context><name>AgentsDialog</name><message><source>What you call the assistant, for instance Claude on the laptop.</source><translation>Wie du den Assistenten nennst, zum Beispiel Claude am Laptop.</translation></message></context>
<context><name>AgentsDialog</name><message><source>proposes</source><translation>schlägt vor</translation></message></context>
<context><name>AgentsDialog</name><message><source>reads only</source><translation>liest nur</translation></message></context>
<context><name>AgentsDialog</name><message><source>writes at once</source><translation>schreibt sofort</translation></message></context>
<context><name>Background</name><message><source>Of {core} core memories, which agents are told before the others, you said of {confirmed} that they are still true. Go › Still true? asks about a few a day.</source><translation>Von {core} Kernerinnerungen, die Agenten vor den übrigen erfahren, hast du bei {confirmed} gesagt, dass sie noch stimmen. Gehe zu › Noch wahr? fragt jeden Tag nach ein paar.</translation></message></context>
<context><name>Background</name><message><source>ready to search</source><translation>bereit zum Suchen</translation></message></context>
<context><name>Background</name><message><source>{share} % looked over</source><translation>{share} % durchgesehen</translation></message></context>
<context><name>BackupsDialog</name><message><source>Back up now</source><translation>Jetzt sichern</translation></message></context>
<context><name>BackupsDialog</name><message><source>Backing up…</source><translation>Wird gesichert…</translation></message></context>
<context><name>BackupsDialog</name><message><source>Backups</source><translation>Sicherungen</translation></message></context>
<context><name>BackupsDialog</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>BackupsDialog</name><message><source>Comparing…</source><translation>Wird verglichen…</translation></message></context>
<context><name>BackupsDialog</name><message><source>Done. What was there before is kept in {name}.</source><translation>Fertig. Was vorher da war, liegt in {name}.</translation></message></context>
<context><name>BackupsDialog</name><message><source>Go back</source><translation>Zurückgehen</translation></message></context>
<context><name>BackupsDialog</name><message><source>Go back to this…</source><translation>Hierauf zurückgehen…</translation></message></context>
<context><name>BackupsDialog</name><message><source>Going back…</source><translation>Wird zurückgesetzt…</translation></message></context>
<context><name>BackupsDialog</name><message><source>It holds the same memories as now.</source><translation>Sie enthält dieselben Erinnerungen wie jetzt.</translation></message></context>
<context><name>BackupsDialog</name><message><source>No backups yet</source><translation>Noch keine Sicherungen</translation></message></context>
<context><name>BackupsDialog</name><message><source>One is made each day when something changed, and before upgrades.</source><translation>Täglich wird eine angelegt, wenn sich etwas geändert hat, und vor Aktualisierungen.</translation></message></context>
<context><name>BackupsDialog</name><message><source>Put the vault back as it was on {when}? {difference}</source><translation>Den Tresor auf den Stand vom {when} zurücksetzen? {difference}</translation></message></context>
<context><name>BackupsDialog</name><message><source>What is there now is backed up first.</source><translation>Was jetzt da ist, wird vorher gesichert.</translation></message></context>
<context><name>BackupsDialog</name><message><source>before an upgrade</source><translation>vor einer Aktualisierung</translation></message></context>
<context><name>BackupsDialog</name><message><source>before going back</source><translation>vor dem Zurückgehen</translation></message></context>
<context><name>BackupsDialog</name><message><source>by the schedule</source><translation>nach Plan</translation></message></context>
<context><name>BackupsDialog</name><message><source>on demand</source><translation>auf Wunsch</translation></message></context>
<context><name>BackupsDialog</name><message><source>{n} would be changed</source><translation>geändert: {n}</translation></message></context>
<context><name>BackupsDialog</name><message><source>{n} would come back</source><translation>zurückgeholt: {n}</translation></message></context>
<context><name>BackupsDialog</name><message><source>{n} would go</source><translation>entfernt: {n}</translation></message></context>
<context><name>BeliefModel</name><message><source>Last agreed</source><translation>Zuletzt einig</translation></message></context>
<context><name>BeliefModel</name><message><source>They say</source><translation>Sie sagen</translation></message></context>
<context><name>BeliefModel</name><message><source>Verdict</source><translation>Urteil</translation></message></context>
<context><name>BeliefModel</name><message><source>You say</source><translation>Du sagst</translation></message></context>
<context><name>BeliefModel</name><message><source>ignored</source><translation>übergangen</translation></message></context>
<context><name>BeliefModel</name><message><source>they are wrong</source><translation>sie irren sich</translation></message></context>
<context><name>BeliefTable</name><message><source>Each thing they say beside the memory it is about.</source><translation>Jede ihrer Aussagen neben der Erinnerung, um die es geht.</translation></message></context>
<context><name>BeliefTable</name><message><source>What they say and what you say</source><translation>Was sie sagen und was du sagst</translation></message></context>
<context><name>BeliefsDialog</name><message><source>A list, a table or sentences, in English or German.</source><translation>Eine Liste, eine Tabelle oder Sätze, deutsch oder englisch.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>A short text that sets them right.</source><translation>Ein kurzer Text, der sie berichtigt.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Ask them “What do you know about me?” and paste the answer, or open an export</source><translation>Frage sie „Was weißt du über mich?“ und füge die Antwort ein, oder öffne einen Export</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Compare</source><translation>Vergleichen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Comparing…</source><translation>Wird verglichen…</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Comparison</source><translation>Vergleich</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Edit…</source><translation>Bearbeiten…</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Ignore</source><translation>Übergehen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Is not asked about again.</source><translation>Danach wird nicht wieder gefragt.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>It is a memory of yours now.</source><translation>Es ist nun eine Erinnerung von dir.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Makes it a memory of yours, or what the memory says now.</source><translation>Macht daraus eine Erinnerung, oder was die Erinnerung nun sagt.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Nothing is compared yet</source><translation>Noch ist nichts verglichen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Open an export</source><translation>Export öffnen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Open an export…</source><translation>Export öffnen…</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Opens the memory, or takes it over in your words.</source><translation>Öffnet die Erinnerung, oder übernimmt es in deinen Worten.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Pages</source><translation>Seiten</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Passport</source><translation>Pass</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Puts it right in the passport.</source><translation>Berichtigt es im Pass.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Reading {name}…</source><translation>{name} wird gelesen…</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Show</source><translation>Zeigen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Shows only the rows of one verdict.</source><translation>Zeigt nur die Zeilen eines Urteils.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Take over</source><translation>Übernehmen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Their statements beside your memories.</source><translation>Ihre Aussagen neben deinen Erinnerungen.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>They are wrong</source><translation>Sie irren sich</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>BeliefsDialog</name><message><source>What others believe</source><translation>Was andere glauben</translation></message></context>
<context><name>BeliefsDialog</name><message><source>What they say</source><translation>Was sie sagen</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Where you differ, what only they say and what they lack is shown here.</source><translation>Worin ihr euch unterscheidet, was nur sie sagen und was ihnen fehlt, steht dann hier.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Who</source><translation>Wer</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Who says it</source><translation>Wer es sagt</translation></message></context>
<context><name>BeliefsDialog</name><message><source>Whose beliefs these are: agreement is kept for each.</source><translation>Wer das glaubt: Einigkeit wird für jeden gemerkt.</translation></message></context>
<context><name>BeliefsDialog</name><message><source>all</source><translation>alle</translation></message></context>
<context><name>BisectDialog</name><message><source>Add an agent first: what it is told is shown.</source><translation>Füge zuerst einen Agenten hinzu: Gezeigt wird, was er erfährt.</translation></message></context>
<context><name>BisectDialog</name><message><source>After: {change}</source><translation>Nach: {change}</translation></message></context>
<context><name>BisectDialog</name><message><source>Agent</source><translation>Agent</translation></message></context>
<context><name>BisectDialog</name><message><source>Another change near it is shown instead.</source><translation>Stattdessen wird eine andere Änderung in der Nähe gezeigt.</translation></message></context>
<context><name>BisectDialog</name><message><source>Asked</source><translation>Gefragt</translation></message></context>
<context><name>BisectDialog</name><message><source>Back</source><translation>Zurück</translation></message></context>
<context><name>BisectDialog</name><message><source>Bad</source><translation>Falsch</translation></message></context>
<context><name>BisectDialog</name><message><source>Begin</source><translation>Beginnen</translation></message></context>
<context><name>BisectDialog</name><message><source>Begin again</source><translation>Neu beginnen</translation></message></context>
<context><name>BisectDialog</name><message><source>Don't know</source><translation>Weiß nicht</translation></message></context>
<context><name>BisectDialog</name><message><source>Drops every answer and asks anew.</source><translation>Verwirft alle Antworten und fragt neu.</translation></message></context>
<context><name>BisectDialog</name><message><source>Empty: what it is told at the start of a run</source><translation>Leer: was er am Anfang eines Laufs erfährt</translation></message></context>
<context><name>BisectDialog</name><message><source>Going through the changes…</source><translation>Die Änderungen werden durchgegangen…</translation></message></context>
<context><name>BisectDialog</name><message><source>Good</source><translation>Richtig</translation></message></context>
<context><name>BisectDialog</name><message><source>I do: I read what it got</source><translation>Ich: Ich lese, was er bekam</translation></message></context>
<context><name>BisectDialog</name><message><source>It has been answering wrong since…</source><translation>Er antwortet falsch seit…</translation></message></context>
<context><name>BisectDialog</name><message><source>It was right</source><translation>Richtig war es</translation></message></context>
<context><name>BisectDialog</name><message><source>It was undone since.</source><translation>Sie wurde inzwischen rückgängig gemacht.</translation></message></context>
<context><name>BisectDialog</name><message><source>Keepsake goes through the changes by halves and shows what the agent got at each. You say whether it was right; a few answers lead to the one change.</source><translation>Keepsake halbiert die Änderungen immer wieder und zeigt, was der Agent damals bekam. Du sagst, ob es richtig war; wenige Antworten führen zu der einen Änderung.</translation></message></context>
<context><name>BisectDialog</name><message><source>Since this: {change}</source><translation>Seit dieser Änderung: {change}</translation></message></context>
<context><name>BisectDialog</name><message><source>Takes all of it back; that can be undone, too.</source><translation>Nimmt sie ganz zurück; auch das lässt sich rückgängig machen.</translation></message></context>
<context><name>BisectDialog</name><message><source>Takes your last answer back.</source><translation>Nimmt deine letzte Antwort zurück.</translation></message></context>
<context><name>BisectDialog</name><message><source>Undo this change</source><translation>Diese Änderung rückgängig machen</translation></message></context>
<context><name>BisectDialog</name><message><source>What it gets now</source><translation>Was er jetzt bekommt</translation></message></context>
<context><name>BisectDialog</name><message><source>What it got then</source><translation>Was er damals bekam</translation></message></context>
<context><name>BisectDialog</name><message><source>What was asked when the answer went wrong.</source><translation>Was gefragt wurde, als die Antwort falsch war.</translation></message></context>
<context><name>BisectDialog</name><message><source>When it was certainly right still.</source><translation>Wann es sicher noch richtig war.</translation></message></context>
<context><name>BisectDialog</name><message><source>Where it worked; what it is told depends on it.</source><translation>Wo er gearbeitet hat; davon hängt ab, was er erfährt.</translation></message></context>
<context><name>BisectDialog</name><message><source>Who judges</source><translation>Wer urteilt</translation></message></context>
<context><name>BisectDialog</name><message><source>Whose answers went wrong.</source><translation>Wessen Antworten falsch wurden.</translation></message></context>
<context><name>BisectDialog</name><message><source>With this the agent would have answered right.</source><translation>Damit hätte der Agent richtig geantwortet.</translation></message></context>
<context><name>BisectDialog</name><message><source>With this the agent would have answered wrong.</source><translation>Damit hätte der Agent falsch geantwortet.</translation></message></context>
<context><name>BisectDialog</name><message><source>Workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>BisectDialog</name><message><source>You read and judge, or a memory test does it by itself.</source><translation>Du liest und urteilst, oder ein Gedächtnistest tut es von selbst.</translation></message></context>
<context><name>BisectDialog</name><message><source>a day ago</source><translation>vor einem Tag</translation></message></context>
<context><name>BisectDialog</name><message><source>a month ago</source><translation>vor einem Monat</translation></message></context>
<context><name>BisectDialog</name><message><source>a week ago</source><translation>vor einer Woche</translation></message></context>
<context><name>BisectDialog</name><message><source>none</source><translation>keiner</translation></message></context>
<context><name>BisectDialog</name><message><source>when the log begins</source><translation>am Anfang des Protokolls</translation></message></context>
<context><name>BisectDialog</name><message><source>{left}, {total}. Was what it got then right?</source><translation>{left}, {total}. War richtig, was er damals bekam?</translation></message></context>
<context><name>BlameDialog</name><message><source>A sentence of an assistant; the memories behind it are found.</source><translation>Ein Satz eines Assistenten; gefunden werden die Erinnerungen dahinter.</translation></message></context>
<context><name>BlameDialog</name><message><source>Correct…</source><translation>Berichtigen…</translation></message></context>
<context><name>BlameDialog</name><message><source>Find its memory</source><translation>Erinnerung dazu finden</translation></message></context>
<context><name>BlameDialog</name><message><source>Last told to {agent}, {when}, by {call}</source><translation>Zuletzt {agent} gesagt, {when}, durch {call}</translation></message></context>
<context><name>BlameDialog</name><message><source>Memories it may come from</source><translation>Erinnerungen, von denen es stammen kann</translation></message></context>
<context><name>BlameDialog</name><message><source>No memory says anything like it.</source><translation>Keine Erinnerung sagt etwas Ähnliches.</translation></message></context>
<context><name>BlameDialog</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>BlameDialog</name><message><source>Paste what an assistant said</source><translation>Füge ein, was ein Assistent gesagt hat</translation></message></context>
<context><name>BlameDialog</name><message><source>Taught by a turn, {when}: {what}</source><translation>Gelernt aus einem Beitrag, {when}: {what}</translation></message></context>
<context><name>BlameDialog</name><message><source>Told to nobody, as far as the log of calls goes back</source><translation>Niemandem gesagt, soweit das Protokoll der Aufrufe zurückreicht</translation></message></context>
<context><name>BlameDialog</name><message><source>What was said</source><translation>Was gesagt wurde</translation></message></context>
<context><name>BlameDialog</name><message><source>Where did it get that from?</source><translation>Woher hat er das?</translation></message></context>
<context><name>BlameDialog</name><message><source>Written by {who}, {when}</source><translation>Geschrieben von {who}, {when}</translation></message></context>
<context><name>BlameDialog</name><message><source>hardly</source><translation>kaum</translation></message></context>
<context><name>BlameDialog</name><message><source>likely</source><translation>wahrscheinlich</translation></message></context>
<context><name>BlameDialog</name><message><source>maybe</source><translation>vielleicht</translation></message></context>
<context><name>BlockChanges</name><message><source>Changes of this block</source><translation>Änderungen dieses Blocks</translation></message></context>
<context><name>BlockChanges</name><message><source>Erase past versions…</source><translation>Frühere Fassungen löschen…</translation></message></context>
<context><name>BlockChanges</name><message><source>Erase the block…</source><translation>Block endgültig löschen…</translation></message></context>
<context><name>BlockEditor</name><message><source>Blocks</source><translation>Blöcke</translation></message></context>
<context><name>BlockEditor</name><message><source>Choose a block</source><translation>Wähle einen Block</translation></message></context>
<context><name>BlockEditor</name><message><source>Discard</source><translation>Verwerfen</translation></message></context>
<context><name>BlockEditor</name><message><source>Each is a page that an agent keeps.</source><translation>Jeder ist eine Seite, die ein Agent führt.</translation></message></context>
<context><name>BlockEditor</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>BlockEditor</name><message><source>Saved {name}</source><translation>{name} gespeichert</translation></message></context>
<context><name>BlockEditor</name><message><source>Start from the template</source><translation>Mit der Vorlage beginnen</translation></message></context>
<context><name>BlockEditor</name><message><source>not saved yet, kept as a draft</source><translation>noch nicht gespeichert, als Entwurf behalten</translation></message></context>
<context><name>BlockEditor</name><message><source>not written yet</source><translation>noch nicht geschrieben</translation></message></context>
<context><name>BlockEditor</name><message><source>written by {who} · {when}</source><translation>von {who} · {when}</translation></message></context>
<context><name>BlockEditor</name><message><source>{name} · {scope}</source><translation>{name} · {scope}</translation></message></context>
<context><name>BlockEditor</name><message><source>{who} changed it meanwhile</source><translation>inzwischen von {who} geändert</translation></message></context>
<context><name>BlockGauge</name><message><source>How full the block is</source><translation>Wie voll der Block ist</translation></message></context>
<context><name>BlockGauge</name><message><source>How much of the room of this block its text takes.</source><translation>Wie viel vom Platz dieses Blocks sein Text einnimmt.</translation></message></context>
<context><name>BlockGauge</name><message><source>{n} of {most} characters · {lines} lines · ≈ {tokens} tokens</source><translation>{n} von {most} Zeichen · {lines} Zeilen · ≈ {tokens} Token</translation></message></context>
<context><name>BlockGauge</name><message><source>{n} of {most} entries</source><translation>{n} von {most} Einträgen</translation></message></context>
<context><name>BlockList</name><message><source>Write another…</source><translation>Noch einen schreiben…</translation></message></context>
<context><name>BlockList</name><message><source>Write one…</source><translation>Einen schreiben…</translation></message></context>
<context><name>BlockList</name><message><source>empty</source><translation>leer</translation></message></context>
<context><name>BlockList</name><message><source>not written yet</source><translation>noch nicht geschrieben</translation></message></context>
<context><name>BlockList</name><message><source>{n} of {most} characters</source><translation>{n} von {most} Zeichen</translation></message></context>
<context><name>BlockPages</name><message><source>Block, in markdown</source><translation>Block, in Markdown</translation></message></context>
<context><name>BlockPages</name><message><source>Changes</source><translation>Änderungen</translation></message></context>
<context><name>BlockPages</name><message><source>Edit</source><translation>Bearbeiten</translation></message></context>
<context><name>BlockPages</name><message><source>How it reads, with its headings and lists.</source><translation>Wie es sich liest, mit Überschriften und Listen.</translation></message></context>
<context><name>BlockPages</name><message><source>Preview</source><translation>Vorschau</translation></message></context>
<context><name>BlockPages</name><message><source>The text of this block; the agent gets it whole, word for word.</source><translation>Der Text dieses Blocks; der Agent bekommt ihn ganz und wörtlich.</translation></message></context>
<context><name>BlockPages</name><message><source>Views of this block</source><translation>Ansichten dieses Blocks</translation></message></context>
<context><name>BlockPages</name><message><source>Who changed it, and how.</source><translation>Wer ihn geändert hat und wie.</translation></message></context>
<context><name>BlockPages</name><message><source>Write here.</source><translation>Hier schreibst du.</translation></message></context>
<context><name>BudgetSlider</name><message><source>Budget</source><translation>Budget</translation></message></context>
<context><name>BudgetSlider</name><message><source>at {size} {key} would fit</source><translation>bei {size} würde {key} passen</translation></message></context>
<context><name>Bulk</name><message><source>Changed {what}</source><translation>{what} geändert</translation></message></context>
<context><name>Bulk</name><message><source>Forgot {what}</source><translation>{what} vergessen</translation></message></context>
<context><name>Bulk</name><message><source>Moved {what} to {scope}</source><translation>{what} verschoben nach {scope}</translation></message></context>
<context><name>Bulk</name><message><source>Restored {what}</source><translation>{what} wiederhergestellt</translation></message></context>
<context><name>ByteBar</name><message><source>Bytes by layer</source><translation>Bytes je Schicht</translation></message></context>
<context><name>ByteBar</name><message><source>blocks</source><translation>Blöcke</translation></message></context>
<context><name>ByteBar</name><message><source>core</source><translation>Kern</translation></message></context>
<context><name>ByteBar</name><message><source>free</source><translation>frei</translation></message></context>
<context><name>ByteBar</name><message><source>headings</source><translation>Überschriften</translation></message></context>
<context><name>ByteBar</name><message><source>memories that come before the others</source><translation>Erinnerungen, die vor den übrigen kommen</translation></message></context>
<context><name>ByteBar</name><message><source>memories that fit the message</source><translation>Erinnerungen, die zur Nachricht passen</translation></message></context>
<context><name>ByteBar</name><message><source>pages that come first; one too long is cut at a line</source><translation>Seiten, die zuerst kommen; eine zu lange endet nach einer ihrer Zeilen</translation></message></context>
<context><name>ByteBar</name><message><source>recalled</source><translation>abgerufen</translation></message></context>
<context><name>ByteBar</name><message><source>recent</source><translation>neu</translation></message></context>
<context><name>ByteBar</name><message><source>room that is left</source><translation>Platz, der noch frei ist</translation></message></context>
<context><name>ByteBar</name><message><source>the lines around the memories that say what they are</source><translation>die Zeilen um die Erinnerungen, die sagen, was sie sind</translation></message></context>
<context><name>ByteBar</name><message><source>the newest of the others</source><translation>die neuesten der übrigen</translation></message></context>
<context><name>ChangeDetail</name><message><source>Open it</source><translation>Öffnen</translation></message></context>
<context><name>ChangeDetail</name><message><source>Takes back what the chosen line did.</source><translation>Nimmt zurück, was die gewählte Zeile getan hat.</translation></message></context>
<context><name>ChangeDetail</name><message><source>Undo the chosen action</source><translation>Gewählte Handlung rückgängig machen</translation></message></context>
<context><name>ChangeDetail</name><message><source>Undo this</source><translation>Das rückgängig machen</translation></message></context>
<context><name>ChangeDetail</name><message><source>What it changed</source><translation>Was geändert wurde</translation></message></context>
<context><name>ChangeDetail</name><message><source>What it held is not kept any more.</source><translation>Was darin stand, ist nicht mehr aufgehoben.</translation></message></context>
<context><name>ClosingQuestion</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>ClosingQuestion</name><message><source>Close Keepsake</source><translation>Keepsake schließen</translation></message></context>
<context><name>ClosingQuestion</name><message><source>Do not ask again</source><translation>Nicht mehr fragen</translation></message></context>
<context><name>ClosingQuestion</name><message><source>From now on closing does at once what you choose here.</source><translation>Von nun an tut das Schließen gleich, was du hier wählst.</translation></message></context>
<context><name>ClosingQuestion</name><message><source>In the tray it goes on serving them.</source><translation>Im Infobereich bedient es sie weiter.</translation></message></context>
<context><name>ClosingQuestion</name><message><source>Keep it in the tray</source><translation>Im Infobereich behalten</translation></message></context>
<context><name>ClosingQuestion</name><message><source>Start at login, in the settings, serves them without a window; so does the command keepsake serve.</source><translation>„Bei der Anmeldung starten“ in den Einstellungen bedient sie ohne Fenster, ebenso der Befehl keepsake serve.</translation></message></context>
<context><name>ClosingQuestion</name><message><source>{agents} used memory through this window a moment ago, by its API. That ends when it closes; agents that start Keepsake themselves go on.</source><translation>Eben hat {agents} über die API dieses Fensters Erinnerungen benutzt. Das endet, wenn es sich schließt; Agenten, die Keepsake selbst starten, arbeiten weiter.</translation></message></context>
<context><name>ClusterPage</name><message><source>Comparing {what}…</source><translation>{what} werden verglichen…</translation></message></context>
<context><name>ClusterPage</name><message><source>Memories in this cluster</source><translation>Erinnerungen dieser Gruppe</translation></message></context>
<context><name>ClusterPage</name><message><source>Merge</source><translation>Zusammenführen</translation></message></context>
<context><name>ClusterPage</name><message><source>Not the same</source><translation>Nicht dasselbe</translation></message></context>
<context><name>ClusterPage</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>ClusterPage</name><message><source>The merged memory</source><translation>Die zusammengeführte Erinnerung</translation></message></context>
<context><name>ClusterPage</name><message><source>The one text that stays; the others go to the trash and stay in its history.</source><translation>Der eine Text, der bleibt; die anderen kommen in den Papierkorb und bleiben im Verlauf.</translation></message></context>
<context><name>ClusterPage</name><message><source>{key} stays and says this; the others go to the trash.</source><translation>{key} bleibt und sagt dies; die anderen kommen in den Papierkorb.</translation></message></context>
<context><name>CompareDialog</name><message><source>Compare what two agents are told</source><translation>Vergleichen, was zwei Agenten erfahren</translation></message></context>
<context><name>ConflictView</name><message><source>Go on editing</source><translation>Weiter bearbeiten</translation></message></context>
<context><name>ConflictView</name><message><source>Keep both</source><translation>Beide behalten</translation></message></context>
<context><name>ConflictView</name><message><source>Keep mine</source><translation>Meine behalten</translation></message></context>
<context><name>ConflictView</name><message><source>Mine</source><translation>Meine</translation></message></context>
<context><name>ConflictView</name><message><source>Take theirs</source><translation>Die andere nehmen</translation></message></context>
<context><name>ConflictView</name><message><source>Theirs</source><translation>Die andere</translation></message></context>
<context><name>ConflictView</name><message><source>This block was changed by {who} at {when}, while you were editing. Nothing was overwritten.</source><translation>Dieser Block wurde am {when} von {who} geändert, während du daran warst. Nichts wurde überschrieben.</translation></message></context>
<context><name>ConflictView</name><message><source>This memory was changed by {who} at {when}, while you were editing. Nothing was overwritten.</source><translation>Diese Erinnerung wurde am {when} von {who} geändert, während du daran geschrieben hast. Nichts wurde überschrieben.</translation></message></context>
<context><name>ConflictsView</name><message><source>Asks since when; the old one stays as what was true before.</source><translation>Fragt, seit wann; das Alte bleibt als das, was vorher wahr war.</translation></message></context>
<context><name>ConflictsView</name><message><source>Both are true</source><translation>Beides ist wahr</translation></message></context>
<context><name>ConflictsView</name><message><source>Conflicts</source><translation>Konflikte</translation></message></context>
<context><name>ConflictsView</name><message><source>Contradictions</source><translation>Widersprüche</translation></message></context>
<context><name>ConflictsView</name><message><source>Memories that cannot both be true show up here soon after they are written, where they are worded alike. What is told in quite other words mostly is not noticed.</source><translation>Erinnerungen, die nicht beide wahr sein können, erscheinen hier, kurz nachdem sie geschrieben wurden, wenn sie ähnlich formuliert sind. Was mit ganz anderen Worten gesagt wird, wird meist nicht bemerkt.</translation></message></context>
<context><name>ConflictsView</name><message><source>No contradiction was noticed</source><translation>Kein Widerspruch wurde bemerkt</translation></message></context>
<context><name>ConflictsView</name><message><source>Open the new one</source><translation>Das Neue öffnen</translation></message></context>
<context><name>ConflictsView</name><message><source>Open the old one</source><translation>Das Alte öffnen</translation></message></context>
<context><name>ConflictsView</name><message><source>The new one goes to the trash.</source><translation>Das Neue kommt in den Papierkorb.</translation></message></context>
<context><name>ConflictsView</name><message><source>The new one is true from…</source><translation>Das Neue ist wahr ab…</translation></message></context>
<context><name>ConflictsView</name><message><source>The new one is true; the old one was</source><translation>Das Neue ist wahr; das Alte war es</translation></message></context>
<context><name>ConflictsView</name><message><source>The old one stays</source><translation>Das Alte bleibt</translation></message></context>
<context><name>ConflictsView</name><message><source>The old one stays; the new one is in the trash</source><translation>Das Alte bleibt; das Neue ist im Papierkorb</translation></message></context>
<context><name>ConflictsView</name><message><source>They differ: {what}. Until you settle it, {which} comes first.</source><translation>Sie unterscheiden sich: {what}. Bis du es klärst, geht {which} vor.</translation></message></context>
<context><name>ConflictsView</name><message><source>They do not contradict each other; both are told.</source><translation>Sie widersprechen sich nicht; beides wird gesagt.</translation></message></context>
<context><name>ConflictsView</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>ConflictsView</name><message><source>another day</source><translation>ein anderer Tag</translation></message></context>
<context><name>ConflictsView</name><message><source>another name</source><translation>ein anderer Name</translation></message></context>
<context><name>ConflictsView</name><message><source>another number</source><translation>eine andere Zahl</translation></message></context>
<context><name>ConflictsView</name><message><source>new</source><translation>neu</translation></message></context>
<context><name>ConflictsView</name><message><source>old</source><translation>alt</translation></message></context>
<context><name>ConflictsView</name><message><source>one denies the other</source><translation>eines verneint das andere</translation></message></context>
<context><name>ConflictsView</name><message><source>same key</source><translation>gleicher Schlüssel</translation></message></context>
<context><name>ConflictsView</name><message><source>the new one</source><translation>das Neue</translation></message></context>
<context><name>ConflictsView</name><message><source>the old one</source><translation>das Alte</translation></message></context>
<context><name>ConflictsView</name><message><source>they cannot both be</source><translation>beides kann nicht sein</translation></message></context>
<context><name>ConversationActions</name><message><source> and forgot {what}</source><translation> und {what} vergessen</translation></message></context>
<context><name>ConversationActions</name><message><source>; not gone from every file yet, Keepsake goes on with it</source><translation>; noch nicht aus jeder Datei fort, Keepsake macht damit weiter</translation></message></context>
<context><name>ConversationActions</name><message><source>Also forget {what} learned from it</source><translation>Auch vergessen, was daraus gelernt wurde: {what}</translation></message></context>
<context><name>ConversationActions</name><message><source>Delete</source><translation>Löschen</translation></message></context>
<context><name>ConversationActions</name><message><source>Delete “{name}” and all that was said in it, for good?</source><translation>„{name}“ und alles, was darin gesagt wurde, endgültig löschen?</translation></message></context>
<context><name>ConversationActions</name><message><source>Deleted {name}</source><translation>{name} gelöscht</translation></message></context>
<context><name>ConversationActions</name><message><source>Ended {name}</source><translation>{name} beendet</translation></message></context>
<context><name>ConversationActions</name><message><source>Forgot {what}</source><translation>{what} vergessen</translation></message></context>
<context><name>ConversationActions</name><message><source>Learned {what}</source><translation>{what} gelernt</translation></message></context>
<context><name>ConversationActions</name><message><source>Learning…</source><translation>Es wird gelernt…</translation></message></context>
<context><name>ConversationActions</name><message><source>Saved {key}</source><translation>{key} gespeichert</translation></message></context>
<context><name>ConversationActions</name><message><source>They go to the trash. Otherwise they stay, without where they came from.</source><translation>Sie kommen in den Papierkorb. Sonst bleiben sie, nur ohne ihre Herkunft.</translation></message></context>
<context><name>ConversationDetail</name><message><source>Delete the conversation</source><translation>Das Gespräch löschen</translation></message></context>
<context><name>ConversationDetail</name><message><source>Delete…</source><translation>Löschen…</translation></message></context>
<context><name>ConversationDetail</name><message><source>End</source><translation>Beenden</translation></message></context>
<context><name>ConversationDetail</name><message><source>End the conversation</source><translation>Das Gespräch beenden</translation></message></context>
<context><name>ConversationDetail</name><message><source>Every turn, as it was said.</source><translation>Jeder Beitrag, wie er gesagt wurde.</translation></message></context>
<context><name>ConversationDetail</name><message><source>It is written when a conversation ends.</source><translation>Sie wird geschrieben, wenn ein Gespräch endet.</translation></message></context>
<context><name>ConversationDetail</name><message><source>Learned</source><translation>Gelernt</translation></message></context>
<context><name>ConversationDetail</name><message><source>Nothing is sent</source><translation>Es wird nichts gesendet</translation></message></context>
<context><name>ConversationDetail</name><message><source>Nothing more is said in it: what lasts is learned, and a summary written.</source><translation>Es wird nichts mehr gesagt: Was bleibt, wird gelernt, und eine Zusammenfassung geschrieben.</translation></message></context>
<context><name>ConversationDetail</name><message><source>Said</source><translation>Gesagt</translation></message></context>
<context><name>ConversationDetail</name><message><source>Save as a memory…</source><translation>Als Erinnerung speichern…</translation></message></context>
<context><name>ConversationDetail</name><message><source>Select words to keep them as a memory.</source><translation>Markiere Worte, um sie zu behalten.</translation></message></context>
<context><name>ConversationDetail</name><message><source>Sent</source><translation>Gesendet</translation></message></context>
<context><name>ConversationDetail</name><message><source>Show more</source><translation>Mehr zeigen</translation></message></context>
<context><name>ConversationDetail</name><message><source>Summary</source><translation>Zusammenfassung</translation></message></context>
<context><name>ConversationDetail</name><message><source>Summary of the agent's conversations</source><translation>Zusammenfassung der Gespräche des Agenten</translation></message></context>
<context><name>ConversationDetail</name><message><source>The built-in writer reads it, on this machine.</source><translation>Der eingebaute Schreiber liest es, auf diesem Rechner.</translation></message></context>
<context><name>ConversationDetail</name><message><source>The exact prompt</source><translation>Der genaue Prompt</translation></message></context>
<context><name>ConversationDetail</name><message><source>The memories that came out of it.</source><translation>Die Erinnerungen, die daraus wurden.</translation></message></context>
<context><name>ConversationDetail</name><message><source>This, to the letter, goes to the writing model you configured.</source><translation>Genau dies geht an das Schreibmodell, das du eingerichtet hast.</translation></message></context>
<context><name>ConversationDetail</name><message><source>Title of the conversation</source><translation>Titel des Gesprächs</translation></message></context>
<context><name>ConversationDetail</name><message><source>Views of this conversation</source><translation>Ansichten dieses Gesprächs</translation></message></context>
<context><name>ConversationDetail</name><message><source>What the writing model would be sent, word for word.</source><translation>Was das schreibende Modell geschickt bekäme, wörtlich.</translation></message></context>
<context><name>ConversationDetail</name><message><source>What the writing model would read to learn from it.</source><translation>Was das schreibende Modell läse, um daraus zu lernen.</translation></message></context>
<context><name>ConversationDetail</name><message><source>What was said so far, in short.</source><translation>Kurz, was bisher gesagt wurde.</translation></message></context>
<context><name>ConversationDetail</name><message><source>What was said so far, in short; the next conversation starts from it.</source><translation>Kurz, was bisher gesagt wurde; das nächste Gespräch beginnt damit.</translation></message></context>
<context><name>ConversationDetail</name><message><source>What you call this conversation; type to rename it.</source><translation>Wie du dieses Gespräch nennst; schreib, um es umzubenennen.</translation></message></context>
<context><name>ConversationDetail</name><message><source>What {agent} is told of its earlier conversations. Written {when}.</source><translation>Was {agent} von früheren Gesprächen erfährt. Geschrieben {when}.</translation></message></context>
<context><name>ConversationDetail</name><message><source>ended</source><translation>beendet</translation></message></context>
<context><name>ConversationDetail</name><message><source>open</source><translation>offen</translation></message></context>
<context><name>ConversationDetail</name><message><source>{agent} has no summary yet</source><translation>{agent} hat noch keine Zusammenfassung</translation></message></context>
<context><name>ConversationList</name><message><source>All agents</source><translation>Alle Agenten</translation></message></context>
<context><name>ConversationList</name><message><source>Conversations</source><translation>Gespräche</translation></message></context>
<context><name>ConversationList</name><message><source>Show earlier ones</source><translation>Frühere zeigen</translation></message></context>
<context><name>ConversationList</name><message><source>Shows the conversations of one agent only.</source><translation>Zeigt nur die Gespräche eines Agenten.</translation></message></context>
<context><name>ConversationList</name><message><source>Whose conversations</source><translation>Wessen Gespräche</translation></message></context>
<context><name>ConversationList</name><message><source>ended</source><translation>beendet</translation></message></context>
<context><name>ConversationList</name><message><source>open</source><translation>offen</translation></message></context>
<context><name>Conversations</name><message><source>Untitled, {when}</source><translation>Ohne Titel, {when}</translation></message></context>
<context><name>Conversations</name><message><source>d MMM HH:mm</source><translation>d. MMM HH:mm</translation></message></context>
<context><name>ConversationsView</name><message><source>Conversations</source><translation>Gespräche</translation></message></context>
<context><name>ConversationsView</name><message><source>It was said further on; show more to see it.</source><translation>Es wurde weiter hinten gesagt; lass dir mehr zeigen.</translation></message></context>
<context><name>ConversationsView</name><message><source>No conversations yet</source><translation>Noch keine Gespräche</translation></message></context>
<context><name>ConversationsView</name><message><source>Select words in a conversation first.</source><translation>Wähle zuerst Worte in einem Gespräch aus.</translation></message></context>
<context><name>ConversationsView</name><message><source>What agents send of a conversation is kept here. Vault › Import a file… brings in those you had with ChatGPT, Claude or Gemini.</source><translation>Was Agenten von einem Gespräch schicken, wird hier aufbewahrt. Tresor › Datei importieren… holt die herein, die du mit ChatGPT, Claude oder Gemini hattest.</translation></message></context>
<context><name>CorrectDialog</name><message><source>Correct</source><translation>Berichtigen</translation></message></context>
<context><name>CorrectDialog</name><message><source>Correct {key}</source><translation>{key} berichtigen</translation></message></context>
<context><name>CorrectDialog</name><message><source>Reason</source><translation>Grund</translation></message></context>
<context><name>CorrectDialog</name><message><source>The text that takes the place of the wrong one.</source><translation>Der Text, der an die Stelle des falschen tritt.</translation></message></context>
<context><name>CorrectDialog</name><message><source>What is right</source><translation>Was stimmt</translation></message></context>
<context><name>CorrectDialog</name><message><source>Why it was wrong; it stays in the history.</source><translation>Warum es falsch war; es bleibt im Verlauf.</translation></message></context>
<context><name>CorrectDialog</name><message><source>Why was it wrong? (kept in the history)</source><translation>Warum war es falsch? (bleibt im Verlauf)</translation></message></context>
<context><name>CorrectDialog</name><message><source>Write what is right. The wrong memory goes to the trash; agents only see the corrected one.</source><translation>Schreib, was stimmt. Die falsche Erinnerung kommt in den Papierkorb; Agenten sehen nur die berichtigte.</translation></message></context>
<context><name>DaysChart</name><message><source>Writes per day</source><translation>Änderungen pro Tag</translation></message></context>
<context><name>Deeds</name><message><source>(nothing)</source><translation>(nichts)</translation></message></context>
<context><name>Deeds</name><message><source>approved what was proposed</source><translation>Vorgeschlagenes genehmigt</translation></message></context>
<context><name>Deeds</name><message><source>approved {what}</source><translation>{what} genehmigt</translation></message></context>
<context><name>Deeds</name><message><source>changed</source><translation>geändert</translation></message></context>
<context><name>Deeds</name><message><source>changed an agent</source><translation>Agent geändert</translation></message></context>
<context><name>Deeds</name><message><source>changed the agent {what}</source><translation>Agent {what} geändert</translation></message></context>
<context><name>Deeds</name><message><source>changed {what}</source><translation>{what} geändert</translation></message></context>
<context><name>Deeds</name><message><source>confirmed</source><translation>bestätigt</translation></message></context>
<context><name>Deeds</name><message><source>confirmed {what}</source><translation>{what} bestätigt</translation></message></context>
<context><name>Deeds</name><message><source>corrected</source><translation>berichtigt</translation></message></context>
<context><name>Deeds</name><message><source>corrected {what}</source><translation>{what} berichtigt</translation></message></context>
<context><name>Deeds</name><message><source>did again {what}</source><translation>{what} wiederholt</translation></message></context>
<context><name>Deeds</name><message><source>done again</source><translation>wiederholt</translation></message></context>
<context><name>Deeds</name><message><source>edited</source><translation>bearbeitet</translation></message></context>
<context><name>Deeds</name><message><source>edited a passage</source><translation>Textstelle bearbeitet</translation></message></context>
<context><name>Deeds</name><message><source>edited {what}</source><translation>{what} bearbeitet</translation></message></context>
<context><name>Deeds</name><message><source>ended a conversation</source><translation>Gespräch beendet</translation></message></context>
<context><name>Deeds</name><message><source>ended {what}</source><translation>{what} beendet</translation></message></context>
<context><name>Deeds</name><message><source>erased {what}</source><translation>{what} gelöscht</translation></message></context>
<context><name>Deeds</name><message><source>evicted</source><translation>verdrängt</translation></message></context>
<context><name>Deeds</name><message><source>expired</source><translation>abgelaufen</translation></message></context>
<context><name>Deeds</name><message><source>forgot {what}</source><translation>{what} vergessen</translation></message></context>
<context><name>Deeds</name><message><source>forgotten</source><translation>vergessen</translation></message></context>
<context><name>Deeds</name><message><source>gave an agent a new token</source><translation>Agent mit neuem Token versehen</translation></message></context>
<context><name>Deeds</name><message><source>gave the agent {what} a new token</source><translation>Agent {what} mit neuem Token versehen</translation></message></context>
<context><name>Deeds</name><message><source>gone with its conversation</source><translation>mit dem Gespräch gegangen</translation></message></context>
<context><name>Deeds</name><message><source>imported {what}</source><translation>{what} importiert</translation></message></context>
<context><name>Deeds</name><message><source>learned {what}</source><translation>{what} gelernt</translation></message></context>
<context><name>Deeds</name><message><source>made core: {what}</source><translation>zum Kern gemacht: {what}</translation></message></context>
<context><name>Deeds</name><message><source>merged</source><translation>zusammengeführt</translation></message></context>
<context><name>Deeds</name><message><source>merged {what}</source><translation>{what} zusammengeführt</translation></message></context>
<context><name>Deeds</name><message><source>no longer core: {what}</source><translation>nicht mehr Kern: {what}</translation></message></context>
<context><name>Deeds</name><message><source>proposed {what}</source><translation>{what} vorgeschlagen</translation></message></context>
<context><name>Deeds</name><message><source>rejected what was proposed</source><translation>Vorgeschlagenes abgelehnt</translation></message></context>
<context><name>Deeds</name><message><source>rejected {what}</source><translation>{what} abgelehnt</translation></message></context>
<context><name>Deeds</name><message><source>removed</source><translation>entfernt</translation></message></context>
<context><name>Deeds</name><message><source>renamed a conversation</source><translation>Gespräch umbenannt</translation></message></context>
<context><name>Deeds</name><message><source>renamed {what}</source><translation>{what} umbenannt</translation></message></context>
<context><name>Deeds</name><message><source>restored</source><translation>wiederhergestellt</translation></message></context>
<context><name>Deeds</name><message><source>restored {what}</source><translation>{what} wiederhergestellt</translation></message></context>
<context><name>Deeds</name><message><source>said since when {what} is true</source><translation>gesagt, seit wann {what} wahr ist</translation></message></context>
<context><name>Deeds</name><message><source>set up an agent</source><translation>Agent eingerichtet</translation></message></context>
<context><name>Deeds</name><message><source>set up the agent {what}</source><translation>Agent {what} eingerichtet</translation></message></context>
<context><name>Deeds</name><message><source>shut out an agent</source><translation>Agent ausgesperrt</translation></message></context>
<context><name>Deeds</name><message><source>shut out the agent {what}</source><translation>Agent {what} ausgesperrt</translation></message></context>
<context><name>Deeds</name><message><source>started a conversation</source><translation>Gespräch begonnen</translation></message></context>
<context><name>Deeds</name><message><source>started {what}</source><translation>{what} begonnen</translation></message></context>
<context><name>Deeds</name><message><source>stored {what}</source><translation>{what} gespeichert</translation></message></context>
<context><name>Deeds</name><message><source>superseded</source><translation>abgelöst</translation></message></context>
<context><name>Deeds</name><message><source>tidied away</source><translation>aufgeräumt</translation></message></context>
<context><name>Deeds</name><message><source>tidied away {what}</source><translation>{what} aufgeräumt</translation></message></context>
<context><name>Deeds</name><message><source>took back {what}</source><translation>{what} zurückgenommen</translation></message></context>
<context><name>Deeds</name><message><source>took {what} from a folder</source><translation>{what} aus einem Ordner übernommen</translation></message></context>
<context><name>Deeds</name><message><source>undone</source><translation>rückgängig gemacht</translation></message></context>
<context><name>Deeds</name><message><source>went back to a backup</source><translation>zu einer Sicherung zurückgekehrt</translation></message></context>
<context><name>Deeds</name><message><source>went on with a conversation</source><translation>Gespräch fortgesetzt</translation></message></context>
<context><name>Deeds</name><message><source>went on with {what}</source><translation>{what} fortgesetzt</translation></message></context>
<context><name>Deeds</name><message><source>what was there before erased</source><translation>Früheres endgültig gelöscht</translation></message></context>
<context><name>Deeds</name><message><source>written</source><translation>geschrieben</translation></message></context>
<context><name>Deeds</name><message><source>wrote a block</source><translation>Block geschrieben</translation></message></context>
<context><name>Deeds</name><message><source>wrote a session summary</source><translation>Sitzungszusammenfassung geschrieben</translation></message></context>
<context><name>Deeds</name><message><source>wrote the block {what}</source><translation>Block {what} geschrieben</translation></message></context>
<context><name>Dictionaries</name><message><source>Add a larger dictionary</source><translation>Größeres Wörterbuch hinzufügen</translation></message></context>
<context><name>Dictionaries</name><message><source>From a folder…</source><translation>Aus einem Ordner…</translation></message></context>
<context><name>Dictionaries</name><message><source>German</source><translation>Deutsch</translation></message></context>
<context><name>Dictionaries</name><message><source>Its words are put into English, so that they are found by meaning too.</source><translation>Ihre Wörter werden ins Englische gebracht, damit sie auch nach ihrer Bedeutung gefunden werden.</translation></message></context>
<context><name>Dictionaries</name><message><source>Language of the dictionary</source><translation>Sprache des Wörterbuchs</translation></message></context>
<context><name>Dictionaries</name><message><source>Only the one you added goes; Keepsake's own stays.</source><translation>Nur das hinzugefügte geht; das von Keepsake bleibt.</translation></message></context>
<context><name>Dictionaries</name><message><source>Reading the dictionary…</source><translation>Das Wörterbuch wird gelesen…</translation></message></context>
<context><name>Dictionaries</name><message><source>Remove</source><translation>Entfernen</translation></message></context>
<context><name>Dictionaries</name><message><source>Remove the dictionary</source><translation>Das Wörterbuch entfernen</translation></message></context>
<context><name>Dictionaries</name><message><source>Removing the dictionary…</source><translation>Das Wörterbuch wird entfernt…</translation></message></context>
<context><name>Dictionaries</name><message><source>Spanish</source><translation>Spanisch</translation></message></context>
<context><name>Dictionaries</name><message><source>Takes FreeDict's dictionary, where this system has it.</source><translation>Nimmt das Wörterbuch von FreeDict, wo dieses System es hat.</translation></message></context>
<context><name>Dictionaries</name><message><source>Takes a dictionary that you downloaded from freedict.org.</source><translation>Nimmt ein Wörterbuch, das du von freedict.org geladen hast.</translation></message></context>
<context><name>Dictionaries</name><message><source>The folder of the dictionary</source><translation>Der Ordner des Wörterbuchs</translation></message></context>
<context><name>Dictionaries</name><message><source>Understood by the dictionary that comes with Keepsake.</source><translation>Das mitgelieferte Wörterbuch wird verwendet.</translation></message></context>
<context><name>DiffView</name><message><source>After</source><translation>Nachher</translation></message></context>
<context><name>DiffView</name><message><source>Before</source><translation>Vorher</translation></message></context>
<context><name>DraftsView</name><message><source>Discard</source><translation>Verwerfen</translation></message></context>
<context><name>DraftsView</name><message><source>Drafts</source><translation>Entwürfe</translation></message></context>
<context><name>DraftsView</name><message><source>No drafts</source><translation>Keine Entwürfe</translation></message></context>
<context><name>DraftsView</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>DraftsView</name><message><source>What you type and do not save waits here, and outlives a crash.</source><translation>Was du tippst und nicht speicherst, wartet hier und übersteht einen Absturz.</translation></message></context>
<context><name>DraftsView</name><message><source>What you typed and did not save. Agents still get the saved text.</source><translation>Was du getippt und nicht gespeichert hast. Agenten bekommen weiterhin den gespeicherten Text.</translation></message></context>
<context><name>DuplicatesView</name><message><source>Clusters</source><translation>Gruppen</translation></message></context>
<context><name>DuplicatesView</name><message><source>Duplicates</source><translation>Doppelte</translation></message></context>
<context><name>DuplicatesView</name><message><source>Every memory is compared with every other of its scope.</source><translation>Jede Erinnerung wird mit jeder anderen ihres Bereichs verglichen.</translation></message></context>
<context><name>DuplicatesView</name><message><source>How alike</source><translation>Wie ähnlich</translation></message></context>
<context><name>DuplicatesView</name><message><source>How near two memories must be to be shown as one group.</source><translation>Wie nah sich zwei Erinnerungen sein müssen, um als Gruppe zu erscheinen.</translation></message></context>
<context><name>DuplicatesView</name><message><source>Kept apart: {what}</source><translation>Getrennt gehalten: {what}</translation></message></context>
<context><name>DuplicatesView</name><message><source>Looking for duplicates…</source><translation>Doppelte werden gesucht…</translation></message></context>
<context><name>DuplicatesView</name><message><source>Memories that say the same in one scope show up here. Choose “similar” above to look more widely.</source><translation>Erinnerungen eines Bereichs, die dasselbe sagen, erscheinen hier. „Ähnlich“ oben sucht weiter.</translation></message></context>
<context><name>DuplicatesView</name><message><source>Merge</source><translation>Zusammenführen</translation></message></context>
<context><name>DuplicatesView</name><message><source>Merge {what} into one? The others go to the trash.</source><translation>{what} zu einer zusammenführen? Die anderen kommen in den Papierkorb.</translation></message></context>
<context><name>DuplicatesView</name><message><source>Merged {what} into {key}</source><translation>{what} in {key} vereint</translation></message></context>
<context><name>DuplicatesView</name><message><source>No duplicates</source><translation>Keine Doppelten</translation></message></context>
<context><name>DuplicatesView</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>DuplicatesView</name><message><source>alike</source><translation>sehr ähnlich</translation></message></context>
<context><name>DuplicatesView</name><message><source>nearly equal</source><translation>fast gleich</translation></message></context>
<context><name>DuplicatesView</name><message><source>related</source><translation>verwandt</translation></message></context>
<context><name>DuplicatesView</name><message><source>similar</source><translation>ähnlich</translation></message></context>
<context><name>DuplicatesView</name><message><source>the same</source><translation>gleich</translation></message></context>
<context><name>DuplicatesView</name><message><source>{n} % alike</source><translation>{n} % gleich</translation></message></context>
<context><name>Editor</name><message><source>Choose a memory to read or change it.</source><translation>Wähle eine Erinnerung, um sie zu lesen oder zu ändern.</translation></message></context>
<context><name>Editor</name><message><source>Compare</source><translation>Vergleichen</translation></message></context>
<context><name>Editor</name><message><source>Discard</source><translation>Verwerfen</translation></message></context>
<context><name>Editor</name><message><source>Discarded what you typed</source><translation>Getipptes verworfen</translation></message></context>
<context><name>Editor</name><message><source>It says this already; nothing was changed.</source><translation>Das steht schon so da; nichts wurde geändert.</translation></message></context>
<context><name>Editor</name><message><source>Merged with what {who} wrote meanwhile.</source><translation>Mit dem zusammengeführt, was inzwischen von {who} kam.</translation></message></context>
<context><name>Editor</name><message><source>Put the cursor between the two halves first.</source><translation>Setz zuerst den Cursor zwischen die beiden Hälften.</translation></message></context>
<context><name>Editor</name><message><source>Save all the same</source><translation>Trotzdem speichern</translation></message></context>
<context><name>Editor</name><message><source>The key {key} is taken in that scope.</source><translation>Der Schlüssel {key} ist in diesem Bereich vergeben.</translation></message></context>
<context><name>Editor</name><message><source>This memory is in the trash now; your edit is kept.</source><translation>Diese Erinnerung liegt jetzt im Papierkorb; deine Änderung bleibt erhalten.</translation></message></context>
<context><name>Editor</name><message><source>This memory was changed by {who} meanwhile; your edit is kept.</source><translation>Diese Erinnerung wurde inzwischen von {who} geändert; deine Änderung bleibt erhalten.</translation></message></context>
<context><name>Editor</name><message><source>This memory was erased for good.</source><translation>Diese Erinnerung wurde endgültig gelöscht.</translation></message></context>
<context><name>Editor</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>Editor</name><message><source>Use {key}</source><translation>{key} nehmen</translation></message></context>
<context><name>Editor</name><message><source>You had not saved this yet, and it was changed since.</source><translation>Das war noch nicht gespeichert, und inzwischen wurde es geändert.</translation></message></context>
<context><name>Editor</name><message><source>Your draft, merged with what {who} wrote since.</source><translation>Dein Entwurf, zusammengeführt mit dem, was seither von {who} kam.</translation></message></context>
<context><name>Editor</name><message><source>Your draft: agents still get the saved text.</source><translation>Dein Entwurf: Agenten bekommen weiterhin den gespeicherten Text.</translation></message></context>
<context><name>EditorForm</name><message><source>Back to the list</source><translation>Zurück zur Liste</translation></message></context>
<context><name>EditorForm</name><message><source>Correct…</source><translation>Berichtigen…</translation></message></context>
<context><name>EditorForm</name><message><source>Discard</source><translation>Verwerfen</translation></message></context>
<context><name>EditorForm</name><message><source>Edit</source><translation>Text</translation></message></context>
<context><name>EditorForm</name><message><source>Every text it had, and who wrote it; bring any of them back.</source><translation>Jeder Text, den sie hatte, und von wem er kam; hol einen davon zurück.</translation></message></context>
<context><name>EditorForm</name><message><source>Forget</source><translation>Vergessen</translation></message></context>
<context><name>EditorForm</name><message><source>Forgets the wrong text and keeps the right one in its place.</source><translation>Vergisst den falschen Text und behält an seiner Stelle den richtigen.</translation></message></context>
<context><name>EditorForm</name><message><source>History</source><translation>Verlauf</translation></message></context>
<context><name>EditorForm</name><message><source>How it reads, with its headings and lists.</source><translation>Wie es sich liest, mit Überschriften und Listen.</translation></message></context>
<context><name>EditorForm</name><message><source>Keeps it; from now on agents get this text.</source><translation>Behält es; ab jetzt bekommen Agenten diesen Text.</translation></message></context>
<context><name>EditorForm</name><message><source>Memory, in markdown</source><translation>Erinnerung, in Markdown</translation></message></context>
<context><name>EditorForm</name><message><source>New memory</source><translation>Neue Erinnerung</translation></message></context>
<context><name>EditorForm</name><message><source>Preview</source><translation>Vorschau</translation></message></context>
<context><name>EditorForm</name><message><source>Puts it into the trash; it can be brought back.</source><translation>Legt sie in den Papierkorb; sie lässt sich zurückholen.</translation></message></context>
<context><name>EditorForm</name><message><source>Restore</source><translation>Zurückholen</translation></message></context>
<context><name>EditorForm</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>EditorForm</name><message><source>Source: {source}&#10;Created: {created}&#10;Written: {written}&#10;Id: {id}</source><translation>Quelle: {source}&#10;Angelegt: {created}&#10;Geschrieben: {written}&#10;Id: {id}</translation></message></context>
<context><name>EditorForm</name><message><source>Takes it out of the trash.</source><translation>Holt sie aus dem Papierkorb.</translation></message></context>
<context><name>EditorForm</name><message><source>The text agents get, word for word; an empty line starts a paragraph.</source><translation>Der Text, den Agenten wörtlich bekommen; eine leere Zeile beginnt einen Absatz.</translation></message></context>
<context><name>EditorForm</name><message><source>Throws away what you typed since it was saved.</source><translation>Verwirft, was du seit dem Speichern geschrieben hast.</translation></message></context>
<context><name>EditorForm</name><message><source>Views of this memory</source><translation>Ansichten dieser Erinnerung</translation></message></context>
<context><name>EditorForm</name><message><source>What should be remembered?</source><translation>Was soll behalten werden?</translation></message></context>
<context><name>EditorForm</name><message><source>Write here.</source><translation>Hier schreibst du.</translation></message></context>
<context><name>EditorForm</name><message><source>draft</source><translation>Entwurf</translation></message></context>
<context><name>EditorForm</name><message><source>draft kept</source><translation>Entwurf bleibt</translation></message></context>
<context><name>EditorForm</name><message><source>draft, agents still get the saved text</source><translation>Entwurf, Agenten lesen den alten Text</translation></message></context>
<context><name>EditorForm</name><message><source>new</source><translation>neu</translation></message></context>
<context><name>EditorForm</name><message><source>not saved</source><translation>nicht gespeichert</translation></message></context>
<context><name>EditorForm</name><message><source>written by {who} · {when}</source><translation>von {who} · {when}</translation></message></context>
<context><name>EditorForm</name><message><source>{bytes} bytes · {chars} characters</source><translation>{bytes} Byte · {chars} Zeichen</translation></message></context>
<context><name>EncryptDialog</name><message><source>Encrypt</source><translation>Verschlüsseln</translation></message></context>
<context><name>EncryptDialog</name><message><source>Encrypt this vault</source><translation>Diesen Tresor verschlüsseln</translation></message></context>
<context><name>EncryptDialog</name><message><source>Encrypting waits for this, because the key is not shown again.</source><translation>Das Verschlüsseln wartet darauf, denn der Schlüssel wird nicht noch einmal gezeigt.</translation></message></context>
<context><name>EncryptDialog</name><message><source>I have written it down</source><translation>Ich habe ihn aufgeschrieben</translation></message></context>
<context><name>EncryptDialog</name><message><source>It is encrypted with the key that you gave.</source><translation>Er wird mit dem Schlüssel verschlüsselt, den du angegeben hast.</translation></message></context>
<context><name>EncryptDialog</name><message><source>Not now</source><translation>Nicht jetzt</translation></message></context>
<context><name>EncryptDialog</name><message><source>Progress</source><translation>Fortschritt</translation></message></context>
<context><name>EncryptDialog</name><message><source>Recovery key</source><translation>Wiederherstellungsschlüssel</translation></message></context>
<context><name>EncryptDialog</name><message><source>The letters that open this vault; without them nobody can, not even you.</source><translation>Die Zeichen, die diesen Tresor öffnen; ohne sie kann es niemand, auch du nicht.</translation></message></context>
<context><name>EncryptDialog</name><message><source>This is its recovery key. It is shown this once: write it down, and keep it away from this machine. Who loses both the keyring and the recovery key loses the memories.</source><translation>Das ist sein Wiederherstellungsschlüssel. Er wird nur dieses eine Mal gezeigt: Schreib ihn auf und bewahre ihn nicht auf diesem Rechner auf. Wer Schlüsselbund und Wiederherstellungsschlüssel verliert, verliert die Erinnerungen.</translation></message></context>
<context><name>EntryList</name><message><source>Memories</source><translation>Erinnerungen</translation></message></context>
<context><name>EntryModel</name><message><source>Draft</source><translation>Entwurf</translation></message></context>
<context><name>EraseDialog</name><message><source>At {when}</source><translation>Am {when}</translation></message></context>
<context><name>EraseDialog</name><message><source>Backups cleaned: {n}</source><translation>Bereinigte Sicherungen: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>Cancel</source><translation>Abbrechen</translation></message></context>
<context><name>EraseDialog</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>EraseDialog</name><message><source>Copy the receipt</source><translation>Beleg kopieren</translation></message></context>
<context><name>EraseDialog</name><message><source>Erase</source><translation>Löschen</translation></message></context>
<context><name>EraseDialog</name><message><source>Erase for good</source><translation>Endgültig löschen</translation></message></context>
<context><name>EraseDialog</name><message><source>Erase {what}?</source><translation>{what} löschen?</translation></message></context>
<context><name>EraseDialog</name><message><source>Erased</source><translation>Gelöscht</translation></message></context>
<context><name>EraseDialog</name><message><source>Erased, not finished yet</source><translation>Gelöscht, noch nicht abgeschlossen</translation></message></context>
<context><name>EraseDialog</name><message><source>Erasing</source><translation>Wird gelöscht</translation></message></context>
<context><name>EraseDialog</name><message><source>Erasing cannot be undone, so it asks you to type this first.</source><translation>Löschen lässt sich nicht rückgängig machen, darum sollst du dies erst schreiben.</translation></message></context>
<context><name>EraseDialog</name><message><source>Erasing, and looking that nothing is left…</source><translation>Wird gelöscht und geprüft, dass nichts übrig ist…</translation></message></context>
<context><name>EraseDialog</name><message><source>Gone from sight, and not yet from everywhere: {why}. Keepsake goes on with it the next time it opens, and hourly.</source><translation>Nicht mehr zu sehen, aber noch nicht überall fort: {why}. Keepsake macht beim nächsten Öffnen und stündlich damit weiter.</translation></message></context>
<context><name>EraseDialog</name><message><source>Gone from the vault, its log and its backups.</source><translation>Fort aus dem Tresor, seinem Verlauf und seinen Sicherungen.</translation></message></context>
<context><name>EraseDialog</name><message><source>It may still be in {where}, which cannot be looked into. Remove what you do not need any more.</source><translation>Es kann noch in {where} stehen; dort lässt sich nicht nachsehen. Entferne, was du nicht mehr brauchst.</translation></message></context>
<context><name>EraseDialog</name><message><source>Not looked into: {path}</source><translation>Nicht durchsucht: {path}</translation></message></context>
<context><name>EraseDialog</name><message><source>Other files looked into: {n}, until {when}</source><translation>Andere Dateien angesehen: {n}, bis {when}</translation></message></context>
<context><name>EraseDialog</name><message><source>Otherwise the words they came from stay where they were said.</source><translation>Sonst bleibt das Gesagte stehen, aus dem sie gelernt wurden.</translation></message></context>
<context><name>EraseDialog</name><message><source>Receipt {id}</source><translation>Beleg {id}</translation></message></context>
<context><name>EraseDialog</name><message><source>State: {state}</source><translation>Stand: {state}</translation></message></context>
<context><name>EraseDialog</name><message><source>Still in {path}</source><translation>Noch in {path}</translation></message></context>
<context><name>EraseDialog</name><message><source>Taken out of {path}</source><translation>Entfernt aus {path}</translation></message></context>
<context><name>EraseDialog</name><message><source>The bytes go from the vault, its history and its backups, and cannot be brought back. Forgetting can be undone; this cannot.</source><translation>Die Bytes verschwinden aus dem Tresor, seinem Verlauf und seinen Sicherungen und sind nicht zurückzuholen. Vergessen lässt sich rückgängig machen; dies nicht.</translation></message></context>
<context><name>EraseDialog</name><message><source>The file was rewritten.</source><translation>Die Datei wurde neu geschrieben.</translation></message></context>
<context><name>EraseDialog</name><message><source>To be sure, type “{word}”:</source><translation>Tippe zur Sicherheit „{word}“:</translation></message></context>
<context><name>EraseDialog</name><message><source>Told to {agent}, last {when}</source><translation>{agent} hat es erfahren, zuletzt {when}</translation></message></context>
<context><name>EraseDialog</name><message><source>Type the name to be sure</source><translation>Tippe zur Sicherheit den Namen</translation></message></context>
<context><name>EraseDialog</name><message><source>What was said where it was learned is still in its conversation or channel.</source><translation>Was dort gesagt wurde, wo es gelernt wurde, steht noch im Gespräch oder Kanal.</translation></message></context>
<context><name>EraseDialog</name><message><source>What: {what}</source><translation>Was: {what}</translation></message></context>
<context><name>EraseDialog</name><message><source>Wipe</source><translation>Leeren</translation></message></context>
<context><name>EraseDialog</name><message><source>Wipe {what}?</source><translation>{what} leeren?</translation></message></context>
<context><name>EraseDialog</name><message><source>another program is at work on {where}</source><translation>ein anderes Programm arbeitet gerade an {where}</translation></message></context>
<context><name>EraseDialog</name><message><source>another program still reads an old copy of {where}</source><translation>ein anderes Programm liest noch einen alten Stand von {where}</translation></message></context>
<context><name>EraseDialog</name><message><source>backups to be cleaned: {n}</source><translation>zu bereinigende Sicherungen: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>blocks: {n}</source><translation>Blöcke: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>channel messages: {n}</source><translation>Kanalnachrichten: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>conversations: {n}</source><translation>Gespräche: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>done</source><translation>fertig</translation></message></context>
<context><name>EraseDialog</name><message><source>drafts: {n}</source><translation>Entwürfe: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>everything</source><translation>alles</translation></message></context>
<context><name>EraseDialog</name><message><source>it was cut short</source><translation>es wurde unterbrochen</translation></message></context>
<context><name>EraseDialog</name><message><source>kept answers: {n}</source><translation>aufbewahrte Antworten: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>lines of history: {n}</source><translation>Zeilen im Verlauf: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>lines of summaries: {n}</source><translation>Zeilen von Zusammenfassungen: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>may stay in the folder {path}, mirrored until {when}</source><translation>bleibt womöglich im Ordner {path}, gespiegelt bis {when}</translation></message></context>
<context><name>EraseDialog</name><message><source>may stay in what was exported through the API ({when})</source><translation>bleibt womöglich im Export über die API ({when})</translation></message></context>
<context><name>EraseDialog</name><message><source>may stay in what was exported to {path} ({when})</source><translation>bleibt womöglich im Export nach {path} ({when})</translation></message></context>
<context><name>EraseDialog</name><message><source>memories: {n}</source><translation>Erinnerungen: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>mirrored files: {n}</source><translation>gespiegelte Dateien: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>pending</source><translation>noch nicht fertig</translation></message></context>
<context><name>EraseDialog</name><message><source>places in other files: {n}</source><translation>Stellen in anderen Dateien: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>proposals: {n}</source><translation>Vorschläge: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>questions of agents: {n}</source><translation>Anfragen von Agenten: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>saved searches: {n}</source><translation>gespeicherte Suchen: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>stays in the skill {path}</source><translation>bleibt im Skill {path}</translation></message></context>
<context><name>EraseDialog</name><message><source>the disk that holds {where} is full</source><translation>der Datenträger von {where} ist voll</translation></message></context>
<context><name>EraseDialog</name><message><source>the whole vault</source><translation>den ganzen Tresor</translation></message></context>
<context><name>EraseDialog</name><message><source>turns said in them: {n}</source><translation>Beiträge darin: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>vectors: {n}</source><translation>Vektoren: {n}</translation></message></context>
<context><name>EraseDialog</name><message><source>words of it still stand in {where}</source><translation>Wörter davon stehen noch in {where}</translation></message></context>
<context><name>EraseDialog</name><message><source>{where} cannot be written</source><translation>{where} kann nicht beschrieben werden</translation></message></context>
<context><name>EraseDialog</name><message><source>{where} is a symbolic link, which Keepsake does not follow; remove it</source><translation>{where} ist ein symbolischer Link, dem Keepsake nicht folgt; entferne ihn</translation></message></context>
<context><name>EraseDialog</name><message><source>{where} is not there, or is not the folder it was</source><translation>{where} ist nicht da oder nicht mehr derselbe Ordner</translation></message></context>
<context><name>ExactTextPage</name><message><source>All it would be told, or what its program is given when it connects.</source><translation>Alles, was er erführe, oder was sein Programm beim Verbinden bekommt.</translation></message></context>
<context><name>ExactTextPage</name><message><source>All of it, as it gets it when it asks</source><translation>Alles, wie er es auf Anfrage bekommt</translation></message></context>
<context><name>ExactTextPage</name><message><source>Byte for byte what the agent gets.</source><translation>Byte für Byte, was der Agent bekommt.</translation></message></context>
<context><name>ExactTextPage</name><message><source>Copy</source><translation>Kopieren</translation></message></context>
<context><name>ExactTextPage</name><message><source>Copy the exact text</source><translation>Genauen Text kopieren</translation></message></context>
<context><name>ExactTextPage</name><message><source>The exact text the agent gets</source><translation>Der genaue Text, den der Agent bekommt</translation></message></context>
<context><name>ExactTextPage</name><message><source>When it connects, in the instructions</source><translation>Beim Verbinden, in den Anweisungen</translation></message></context>
<context><name>ExactTextPage</name><message><source>Which way</source><translation>Auf welchem Weg</translation></message></context>
<context><name>ExpectDialog</name><message><source>Agent</source><translation>Agent</translation></message></context>
<context><name>ExpectDialog</name><message><source>Among the first</source><translation>Unter den ersten</translation></message></context>
<context><name>ExpectDialog</name><message><source>Asked</source><translation>Gefragt</translation></message></context>
<context><name>ExpectDialog</name><message><source>Empty: it is told at the start of every run</source><translation>Leer: es wird zu Beginn jedes Laufs gesagt</translation></message></context>
<context><name>ExpectDialog</name><message><source>Expect this</source><translation>Das erwarten</translation></message></context>
<context><name>ExpectDialog</name><message><source>How far up this memory has to stand among what is found.</source><translation>Wie weit oben diese Erinnerung unter den Treffern stehen muss.</translation></message></context>
<context><name>ExpectDialog</name><message><source>It is checked after every change; no agent reads it.</source><translation>Es wird nach jeder Änderung geprüft; kein Agent liest es.</translation></message></context>
<context><name>ExpectDialog</name><message><source>Not understood. Write one like: {sentence}</source><translation>Nicht verstanden. Schreib einen wie: {sentence}</translation></message></context>
<context><name>ExpectDialog</name><message><source>Sentence</source><translation>Satz</translation></message></context>
<context><name>ExpectDialog</name><message><source>The assistant that has to know it.</source><translation>Der Assistent, der es wissen muss.</translation></message></context>
<context><name>ExpectDialog</name><message><source>What is checked, in words; you may change it by hand.</source><translation>Was geprüft wird, in Worten; du kannst es von Hand ändern.</translation></message></context>
<context><name>ExpectDialog</name><message><source>What it would look up; empty is about what it is told at the start.</source><translation>Wonach er suchen würde; leer: was er am Anfang gesagt bekommt.</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Check again</source><translation>Noch einmal prüfen</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Checking…</source><translation>Wird geprüft…</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Choose a memory, then Memory › Expect this…: after every change it is checked whether your agents still get it.</source><translation>Wähle eine Erinnerung, dann Erinnerung › Das erwarten…: Nach jeder Änderung wird geprüft, ob deine Agenten sie noch bekommen.</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Expectations</source><translation>Erwartungen</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Memory tests</source><translation>Gedächtnistests</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Nothing is expected yet</source><translation>Noch wird nichts erwartet</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>ExpectationsDialog</name><message><source>Undo that change</source><translation>Diese Änderung rückgängig machen</translation></message></context>
<context><name>ExportDialog</name><message><source>A file of that name is written over.</source><translation>Eine Datei dieses Namens wird überschrieben.</translation></message></context>
<context><name>ExportDialog</name><message><source>A folder of notes</source><translation>Ein Ordner mit Notizen</translation></message></context>
<context><name>ExportDialog</name><message><source>All memories in one file that other programs read. What only Keepsake knows stands under “metadata”.</source><translation>Alle Erinnerungen in einer Datei, die andere Programme lesen. Was nur Keepsake kennt, steht unter „metadata“.</translation></message></context>
<context><name>ExportDialog</name><message><source>An earlier export there is brought up to date; your own files stay.</source><translation>Ein früherer Export dort wird aufgefrischt; deine eigenen Dateien bleiben.</translation></message></context>
<context><name>ExportDialog</name><message><source>As</source><translation>Als</translation></message></context>
<context><name>ExportDialog</name><message><source>Browse…</source><translation>Durchsuchen…</translation></message></context>
<context><name>ExportDialog</name><message><source>Choose where it goes</source><translation>Wähle, wohin</translation></message></context>
<context><name>ExportDialog</name><message><source>Everything</source><translation>Alles</translation></message></context>
<context><name>ExportDialog</name><message><source>Export</source><translation>Exportieren</translation></message></context>
<context><name>ExportDialog</name><message><source>Export into a file</source><translation>In eine Datei exportieren</translation></message></context>
<context><name>ExportDialog</name><message><source>Export into a folder</source><translation>In einen Ordner exportieren</translation></message></context>
<context><name>ExportDialog</name><message><source>Into</source><translation>Nach</translation></message></context>
<context><name>ExportDialog</name><message><source>JSON files (*.json)</source><translation>JSON-Dateien (*.json)</translation></message></context>
<context><name>ExportDialog</name><message><source>Notes you can open with any editor, or all of them in one file.</source><translation>Notizen für jeden beliebigen Editor, oder alle in einer einzigen Datei.</translation></message></context>
<context><name>ExportDialog</name><message><source>One file per memory in the words of the Open Knowledge Format.</source><translation>Eine Datei je Erinnerung, in den Worten des Open Knowledge Format.</translation></message></context>
<context><name>ExportDialog</name><message><source>One note per memory, folders by scope, an index in each.</source><translation>Eine Notiz je Erinnerung, Ordner nach Bereich, jeder mit Verzeichnis.</translation></message></context>
<context><name>ExportDialog</name><message><source>One zip file</source><translation>Eine Zip-Datei</translation></message></context>
<context><name>ExportDialog</name><message><source>Open Knowledge Format, a folder</source><translation>Open Knowledge Format, ein Ordner</translation></message></context>
<context><name>ExportDialog</name><message><source>Open Knowledge Format, a zip file</source><translation>Open Knowledge Format, eine Zip-Datei</translation></message></context>
<context><name>ExportDialog</name><message><source>Portable AI Memory, one JSON file</source><translation>Portable AI Memory, eine JSON-Datei</translation></message></context>
<context><name>ExportDialog</name><message><source>The folder or the file that is written; it is made if it is not there.</source><translation>Der Ordner oder die Datei, in die geschrieben wird; fehlt sie, wird sie angelegt.</translation></message></context>
<context><name>ExportDialog</name><message><source>What</source><translation>Was</translation></message></context>
<context><name>ExportDialog</name><message><source>Whose memories are written out; everything is all of them.</source><translation>Wessen Erinnerungen exportiert werden; „Alles“ sind die von allen.</translation></message></context>
<context><name>ExportDialog</name><message><source>Zip files (*.zip)</source><translation>Zip-Dateien (*.zip)</translation></message></context>
<context><name>FieldsForm</name><message><source>Ask again after</source><translation>Wieder fragen ab</translation></message></context>
<context><name>FieldsForm</name><message><source>Category</source><translation>Kategorie</translation></message></context>
<context><name>FieldsForm</name><message><source>Confirmed</source><translation>Bestätigt</translation></message></context>
<context><name>FieldsForm</name><message><source>Expires</source><translation>Läuft ab</translation></message></context>
<context><name>FieldsForm</name><message><source>Hook</source><translation>Anlass</translation></message></context>
<context><name>FieldsForm</name><message><source>Importance</source><translation>Wichtigkeit</translation></message></context>
<context><name>FieldsForm</name><message><source>Key</source><translation>Schlüssel</translation></message></context>
<context><name>FieldsForm</name><message><source>Kind</source><translation>Art</translation></message></context>
<context><name>FieldsForm</name><message><source>Made from the text</source><translation>aus dem Text</translation></message></context>
<context><name>FieldsForm</name><message><source>Memories</source><translation>Erinnerungen</translation></message></context>
<context><name>FieldsForm</name><message><source>Name</source><translation>Name</translation></message></context>
<context><name>FieldsForm</name><message><source>Never told to</source><translation>Nie gesagt</translation></message></context>
<context><name>FieldsForm</name><message><source>Scope</source><translation>Bereich</translation></message></context>
<context><name>FieldsForm</name><message><source>State</source><translation>Stand</translation></message></context>
<context><name>FieldsForm</name><message><source>Tags</source><translation>Schlagwörter</translation></message></context>
<context><name>FieldsForm</name><message><source>True from</source><translation>Wahr ab</translation></message></context>
<context><name>FieldsForm</name><message><source>True until</source><translation>Wahr bis</translation></message></context>
<context><name>FieldsForm</name><message><source>When does this matter?</source><translation>Wann zählt das?</translation></message></context>
<context><name>FieldsForm</name><message><source>Written</source><translation>Geschrieben</translation></message></context>
<context><name>FieldsForm</name><message><source>in a day</source><translation>in einem Tag</translation></message></context>
<context><name>FieldsForm</name><message><source>in a month</source><translation>in einem Monat</translation></message></context>
<context><name>FieldsForm</name><message><source>in a week</source><translation>in einer Woche</translation></message></context>
<context><name>FieldsForm</name><message><source>in three days</source><translation>in drei Tagen</translation></message></context>
<context><name>FieldsForm</name><message><source>never</source><translation>nie</translation></message></context>
<context><name>FilterMenu</name><message><source>Category</source><translation>Kategorie</translation></message></context>
<context><name>FilterMenu</name><message><source>Importance</source><translation>Wichtigkeit</translation></message></context>
<context><name>FilterMenu</name><message><source>Kind</source><translation>Art</translation></message></context>
<context><name>FilterMenu</name><message><source>Tag</source><translation>Schlagwort</translation></message></context>
<context><name>FilterMenu</name><message><source>{n} and more</source><translation>{n} und mehr</translation></message></context>
<context><name>FirstMinute</name><message><source>Done</source><translation>Fertig</translation></message></context>
<context><name>FirstMinute</name><message><source>Each card is one thing your assistants may use. Click one to change it.</source><translation>Jede Karte ist etwas, das deine Assistenten nutzen können. Klicke eine an, um sie zu ändern.</translation></message></context>
<context><name>FirstMinute</name><message><source>Help brings it back: Show me around.</source><translation>Die Hilfe bringt sie zurück: Führ mich herum.</translation></message></context>
<context><name>FirstMinute</name><message><source>Next</source><translation>Weiter</translation></message></context>
<context><name>FirstMinute</name><message><source>Skip</source><translation>Überspringen</translation></message></context>
<context><name>FirstMinute</name><message><source>Skip the first minute</source><translation>Die erste Minute überspringen</translation></message></context>
<context><name>FirstMinute</name><message><source>This is what Claude would know before you say a word. A ✕ was left out; the line below it says why and what to do.</source><translation>Das wüsste Claude, bevor du ein Wort sagst. Ein ✕ blieb draußen; die Zeile darunter sagt, warum und was zu tun ist.</translation></message></context>
<context><name>FirstMinute</name><message><source>Under Review stands what an assistant would like to remember. Nothing of it counts until you approve.</source><translation>Unter Prüfen steht, was ein Assistent behalten möchte. Nichts davon zählt, bis du zustimmst.</translation></message></context>
<context><name>FirstMinute</name><message><source>What an assistant is told</source><translation>Was ein Assistent erfährt</translation></message></context>
<context><name>FirstMinute</name><message><source>What is remembered</source><translation>Was behalten wird</translation></message></context>
<context><name>FirstMinute</name><message><source>What needs you</source><translation>Was dich braucht</translation></message></context>
<context><name>FirstRun</name><message><source>About sixty memories of a made-up person. One click removes them.</source><translation>Rund sechzig Erinnerungen einer erfundenen Person. Ein Klick entfernt sie.</translation></message></context>
<context><name>FirstRun</name><message><source>Claude, Cursor, Codex or your own: it reads and writes the same memory.</source><translation>Claude, Cursor, Codex oder ein eigener: er liest und schreibt dieselben Erinnerungen.</translation></message></context>
<context><name>FirstRun</name><message><source>Connect an agent</source><translation>Einen Agenten verbinden</translation></message></context>
<context><name>FirstRun</name><message><source>Import what you have</source><translation>Vorhandenes importieren</translation></message></context>
<context><name>FirstRun</name><message><source>Keepsake is where you see, fix and decide it. Everything stays on this machine.</source><translation>In Keepsake siehst, berichtigst und entscheidest du es. Alles bleibt auf diesem Rechner.</translation></message></context>
<context><name>FirstRun</name><message><source>Markdown notes, Obsidian, Claude, ChatGPT. You see what comes first.</source><translation>Markdown-Notizen, Obsidian, Claude, ChatGPT. Du siehst vorher, was kommt.</translation></message></context>
<context><name>FirstRun</name><message><source>Or press Ctrl+N and write the first one yourself.</source><translation>Oder drücke Strg+N und schreib die erste selbst.</translation></message></context>
<context><name>FirstRun</name><message><source>See what they say about you. Nothing is sent anywhere; all of it waits for review.</source><translation>Sieh, was sie über dich sagen. Nichts wird irgendwohin gesendet; alles wartet auf Prüfung.</translation></message></context>
<context><name>FirstRun</name><message><source>Start with samples</source><translation>Mit Beispielen beginnen</translation></message></context>
<context><name>FirstRun</name><message><source>What should your assistants remember?</source><translation>Was sollen deine Assistenten behalten?</translation></message></context>
<context><name>FolderField</name><message><source>Browse…</source><translation>Durchsuchen…</translation></message></context>
<context><name>FontField</name><message><source>Inter (bundled)</source><translation>Inter (mitgeliefert)</translation></message></context>
<context><name>FontField</name><message><source>Of the window. Memories in a script it lacks borrow another font.</source><translation>Des Fensters. Erinnerungen in Zeichen, die ihr fehlen, leihen sich eine andere Schrift.</translation></message></context>
<context><name>FoundClients</name><message><source>Connect {client}</source><translation>{client} verbinden</translation></message></context>
<context><name>FoundClients</name><message><source>Lets it in as an agent and writes this memory into its settings.</source><translation>Lässt es als Agenten herein und schreibt dieses Gedächtnis in seine Einstellungen.</translation></message></context>
<context><name>GlobalKey</name><message><source>{key} opens nothing: another program has it, or this keyboard does not. Choose another in the settings.</source><translation>{key} öffnet nichts: Ein anderes Programm hat sie, oder diese Tastatur hat sie nicht. Wähle in den Einstellungen eine andere.</translation></message></context>
<context><name>HelpPages</name><message><source>Page</source><translation>Seite</translation></message></context>
<context><name>HelpWindow</name><message><source>Find in the pages</source><translation>In den Seiten suchen</translation></message></context>
<context><name>HelpWindow</name><message><source>Help</source><translation>Hilfe</translation></message></context>
<context><name>HelpWindow</name><message><source>Leaves the pages that hold these words.</source><translation>Lässt die Seiten übrig, in denen diese Worte stehen.</translation></message></context>
<context><name>HelpWindow</name><message><source>Pages</source><translation>Seiten</translation></message></context>
<context><name>HelpWindow</name><message><source>The pages of Help; the glossary explains every word.</source><translation>Die Seiten der Hilfe; das Glossar erklärt jedes Wort.</translation></message></context>
<context><name>HelpWindow</name><message><source>This page is there in English only.</source><translation>Diese Seite gibt es nur auf Englisch.</translation></message></context>
<context><name>HistoryTab</name><message><source>The key {key} is taken now.</source><translation>Der Schlüssel {key} ist inzwischen vergeben.</translation></message></context>
<context><name>HistoryView</name><message><source>Before it was written</source><translation>Bevor es geschrieben wurde</translation></message></context>
<context><name>HistoryView</name><message><source>Every text this memory had, and who wrote it.</source><translation>Jeder Text, den diese Erinnerung hatte, und von wem er kam.</translation></message></context>
<context><name>HistoryView</name><message><source>Restore this version</source><translation>Diese Fassung zurückholen</translation></message></context>
<context><name>HistoryView</name><message><source>Versions</source><translation>Fassungen</translation></message></context>
<context><name>HydrationActions</name><message><source>Expect this…</source><translation>Das erwarten…</translation></message></context>
<context><name>HydrationActions</name><message><source>Forget {key}</source><translation>{key} vergessen</translation></message></context>
<context><name>HydrationActions</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>HydrationItems</name><message><source>&lt;b&gt;{used}&lt;/b&gt; of {budget}</source><translation>&lt;b&gt;{used}&lt;/b&gt; von {budget}</translation></message></context>
<context><name>HydrationItems</name><message><source>Forget {key}</source><translation>{key} vergessen</translation></message></context>
<context><name>HydrationItems</name><message><source>It asks by its tool {tool}, at any time and as often as it likes.</source><translation>Er fragt mit seinem Werkzeug {tool}, jederzeit und so oft er will.</translation></message></context>
<context><name>HydrationItems</name><message><source>Lets {agent} into the workspace {workspace}.</source><translation>Lässt {agent} in den Arbeitsbereich {workspace}.</translation></message></context>
<context><name>HydrationItems</name><message><source>Make core</source><translation>Zum Kern machen</translation></message></context>
<context><name>HydrationItems</name><message><source>Make it core</source><translation>Zum Kern machen</translation></message></context>
<context><name>HydrationItems</name><message><source>Moves the memory to “About me”, which every agent sees.</source><translation>Verschiebt die Erinnerung nach „Über mich“, was jeder Agent sieht.</translation></message></context>
<context><name>HydrationItems</name><message><source>Raise to {size}</source><translation>Auf {size} erhöhen</translation></message></context>
<context><name>HydrationItems</name><message><source>Share with {agent}</source><translation>Mit {agent} teilen</translation></message></context>
<context><name>HydrationItems</name><message><source>Shorten by {size}</source><translation>Um {size} kürzen</translation></message></context>
<context><name>HydrationItems</name><message><source>Since its last start, {moment}, nothing has changed in it.</source><translation>Seit seinem letzten Start, {moment}, hat sich daran nichts geändert.</translation></message></context>
<context><name>HydrationItems</name><message><source>The first {kept} of {all} are as at its last start, {moment}.</source><translation>Die ersten {kept} von {all} sind wie bei seinem letzten Start, {moment}.</translation></message></context>
<context><name>HydrationItems</name><message><source>Told all of it when it connects ({whole}), and whenever it asks.</source><translation>Erfährt alles beim Verbinden ({whole}) und immer, wenn er fragt.</translation></message></context>
<context><name>HydrationItems</name><message><source>Told nothing yet, neither when it connects nor when it asks.</source><translation>Erfährt noch nichts, weder beim Verbinden noch, wenn er fragt.</translation></message></context>
<context><name>HydrationItems</name><message><source>Told {told} when it connects (at most {n} characters), and all {whole} when it asks.</source><translation>Erfährt {told} beim Verbinden (höchstens {n} Zeichen) und alle {whole}, wenn er fragt.</translation></message></context>
<context><name>HydrationItems</name><message><source>Told {told} when it connects ({client} keeps {n} characters), and all {whole} when it asks.</source><translation>Erfährt {told} beim Verbinden ({client} behält {n} Zeichen) und alle {whole}, wenn er fragt.</translation></message></context>
<context><name>HydrationItems</name><message><source>With this edit the first {kept} of {all} stay the same.</source><translation>Mit dieser Änderung bleiben die ersten {kept} von {all} gleich.</translation></message></context>
<context><name>HydrationItems</name><message><source>always loaded</source><translation>immer geladen</translation></message></context>
<context><name>HydrationItems</name><message><source>always loaded, cut: {n} of {total} lines fit</source><translation>immer geladen, gekürzt: {n} von {total} Zeilen passen</translation></message></context>
<context><name>HydrationItems</name><message><source>among the newest that fit after core</source><translation>unter den neuesten, die nach dem Kern noch passen</translation></message></context>
<context><name>HydrationItems</name><message><source>contradicts {key}, which comes first</source><translation>widerspricht {key}, das vorgeht</translation></message></context>
<context><name>HydrationItems</name><message><source>core, but {needs}</source><translation>Kern; {needs}</translation></message></context>
<context><name>HydrationItems</name><message><source>core, newest</source><translation>Kern, am neuesten</translation></message></context>
<context><name>HydrationItems</name><message><source>core, {nth} newest</source><translation>Kern, an {nth} Stelle</translation></message></context>
<context><name>HydrationItems</name><message><source>core: loaded first, newest first</source><translation>Kern: zuerst geladen, Neuestes zuerst</translation></message></context>
<context><name>HydrationItems</name><message><source>expired {day}</source><translation>abgelaufen am {day}</translation></message></context>
<context><name>HydrationItems</name><message><source>for this message, score {score}</source><translation>für diese Nachricht, Wert {score}</translation></message></context>
<context><name>HydrationItems</name><message><source>is not true before {day}</source><translation>ist vor dem {day} nicht wahr</translation></message></context>
<context><name>HydrationItems</name><message><source>it is in the trash; restore it to let agents see it</source><translation>sie ist im Papierkorb; hol sie zurück, damit Agenten sie sehen</translation></message></context>
<context><name>HydrationItems</name><message><source>long-term memory is off for this agent</source><translation>das Langzeitgedächtnis ist für diesen Agenten aus</translation></message></context>
<context><name>HydrationItems</name><message><source>muted: never told to agents with a cloud model</source><translation>stumm: wird Agenten mit Cloud-Modell nie gesagt</translation></message></context>
<context><name>HydrationItems</name><message><source>muted: never told to any agent</source><translation>stumm: wird keinem Agenten gesagt</translation></message></context>
<context><name>HydrationItems</name><message><source>muted: never told to {agent}</source><translation>stumm: wird {agent} nie gesagt</translation></message></context>
<context><name>HydrationItems</name><message><source>muted: tagged {tag}</source><translation>stumm: Schlagwort {tag}</translation></message></context>
<context><name>HydrationItems</name><message><source>needs {needs}, {left} left</source><translation>braucht {needs}, {left} übrig</translation></message></context>
<context><name>HydrationItems</name><message><source>recent, fills the rest</source><translation>neu, füllt den Rest</translation></message></context>
<context><name>HydrationItems</name><message><source>session memory is off for this agent</source><translation>das Sitzungsgedächtnis ist für diesen Agenten aus</translation></message></context>
<context><name>HydrationItems</name><message><source>the agent's core block is switched off here</source><translation>der Kernblock des Agenten ist hier abgeschaltet</translation></message></context>
<context><name>HydrationItems</name><message><source>the core block about you is switched off here</source><translation>der Kernblock über dich ist hier abgeschaltet</translation></message></context>
<context><name>HydrationItems</name><message><source>tokens</source><translation>Token</translation></message></context>
<context><name>HydrationItems</name><message><source>too big: {needs}</source><translation>zu groß: {needs}</translation></message></context>
<context><name>HydrationItems</name><message><source>waits in review, proposed by {agent}</source><translation>wartet auf Prüfung, vorgeschlagen von {agent}</translation></message></context>
<context><name>HydrationItems</name><message><source>was true until {day}</source><translation>war wahr bis {day}</translation></message></context>
<context><name>HydrationItems</name><message><source>{agent} does not see {scope}; add it to that workspace</source><translation>{agent} sieht {scope} nicht; nimm ihn in diesen Arbeitsbereich auf</translation></message></context>
<context><name>HydrationItems</name><message><source>{agent} does not see {scope}; move the memory to “About me” or to a workspace it belongs to</source><translation>{agent} sieht {scope} nicht; verschiebe die Erinnerung nach „Über mich“ oder in einen seiner Arbeitsbereiche</translation></message></context>
<context><name>HydrationItems</name><message><source>{agent} sees it when it works in {scope}</source><translation>{agent} sieht sie, wenn er in {scope} arbeitet</translation></message></context>
<context><name>HydrationItems</name><message><source>{name} block</source><translation>Block „{name}“</translation></message></context>
<context><name>HydrationItems</name><message><source>{n} B</source><translation>{n} B</translation></message></context>
<context><name>HydrationList</name><message><source>What is in and what is left out</source><translation>Was drin ist und was fehlt</translation></message></context>
<context><name>HydrationModel</name><message><source>in</source><translation>drin</translation></message></context>
<context><name>HydrationModel</name><message><source>left out</source><translation>ausgelassen</translation></message></context>
<context><name>HydrationNotice</name><message><source>As it was on {moment}.</source><translation>Wie es am {moment} war.</translation></message></context>
<context><name>HydrationNotice</name><message><source>Back to now</source><translation>Zurück zu jetzt</translation></message></context>
<context><name>HydrationNotice</name><message><source>Shorten</source><translation>Kürzen</translation></message></context>
<context><name>HydrationNotice</name><message><source>With this edit &lt;b&gt;{key}&lt;/b&gt; goes out of sight.</source><translation>Mit dieser Änderung gerät &lt;b&gt;{key}&lt;/b&gt; außer Sicht.</translation></message></context>
<context><name>HydrationNotice</name><message><source>With this edit &lt;b&gt;{key}&lt;/b&gt; no longer fits: it needs {needs} and {left} are left.</source><translation>Mit dieser Änderung passt &lt;b&gt;{key}&lt;/b&gt; nicht mehr: sie braucht {needs}, und {left} sind übrig.</translation></message></context>
<context><name>HydrationNotice</name><message><source>With this edit {names} comes in.</source><translation>Mit dieser Änderung kommt {names} hinein.</translation></message></context>
<context><name>HydrationOptions</name><message><source> bytes</source><translation> Byte</translation></message></context>
<context><name>HydrationOptions</name><message><source>Compare with another agent…</source><translation>Mit einem anderen Agenten vergleichen…</translation></message></context>
<context><name>HydrationOptions</name><message><source>Keep this budget</source><translation>Dieses Budget behalten</translation></message></context>
<context><name>HydrationOptions</name><message><source>Makes it the agent's own budget</source><translation>Macht es zum Budget dieses Agenten</translation></message></context>
<context><name>HydrationOptions</name><message><source>Moment</source><translation>Zeitpunkt</translation></message></context>
<context><name>HydrationOptions</name><message><source>a moment…</source><translation>ein Zeitpunkt…</translation></message></context>
<context><name>HydrationOptions</name><message><source>a month ago</source><translation>vor einem Monat</translation></message></context>
<context><name>HydrationOptions</name><message><source>a new one</source><translation>ein neues</translation></message></context>
<context><name>HydrationOptions</name><message><source>a week ago</source><translation>vor einer Woche</translation></message></context>
<context><name>HydrationOptions</name><message><source>about me</source><translation>über mich</translation></message></context>
<context><name>HydrationOptions</name><message><source>an hour ago</source><translation>vor einer Stunde</translation></message></context>
<context><name>HydrationOptions</name><message><source>any score</source><translation>jede Güte</translation></message></context>
<context><name>HydrationOptions</name><message><source>best lines for the message</source><translation>beste Zeilen zur Nachricht</translation></message></context>
<context><name>HydrationOptions</name><message><source>d MMM yyyy HH:mm</source><translation>d. MMM yyyy HH:mm</translation></message></context>
<context><name>HydrationOptions</name><message><source>none</source><translation>keiner</translation></message></context>
<context><name>HydrationOptions</name><message><source>now</source><translation>jetzt</translation></message></context>
<context><name>HydrationOptions</name><message><source>off</source><translation>aus</translation></message></context>
<context><name>HydrationOptions</name><message><source>only when recalled</source><translation>nur auf Abruf</translation></message></context>
<context><name>HydrationOptions</name><message><source>that time</source><translation>jene Zeit</translation></message></context>
<context><name>HydrationOptions</name><message><source>the agent's</source><translation>die des Agenten</translation></message></context>
<context><name>HydrationOptions</name><message><source>yesterday at this time</source><translation>gestern um diese Zeit</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Add an agent…</source><translation>Agent hinzufügen…</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Agent</source><translation>Agent</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Exact text</source><translation>Genauer Text</translation></message></context>
<context><name>HydrationWidgets</name><message><source>For which run</source><translation>Für welchen Lauf</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Here you see what an agent will be told, once you have one.</source><translation>Hier siehst du, was ein Agent erfährt, sobald du einen hast.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Items</source><translation>Einträge</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Keep</source><translation>Behalten</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Many assistants pay less for the beginning of a text that they have had before: what rarely changes stands first, and an edit costs what comes after it.</source><translation>Viele Assistenten zahlen weniger für den Anfang eines Textes, den sie schon einmal hatten: Was sich selten ändert, steht zuerst, und eine Änderung kostet, was nach ihr kommt.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Reset</source><translation>Zurücksetzen</translation></message></context>
<context><name>HydrationWidgets</name><message><source>The text it gets, word for word.</source><translation>Der Text, den er bekommt, Wort für Wort.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Try a message</source><translation>Nachricht probieren</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Trying {size} · {name}’s own is {own}</source><translation>Probeweise {size} · {name} hat eigentlich {own}</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Views of the answer</source><translation>Ansichten der Antwort</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What it is told</source><translation>Was er erfährt</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What it knew</source><translation>Was er wusste</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What it would be told and what is left out, with the reason.</source><translation>Was er erführe und was ausgelassen ist, mit dem Grund.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What would come along with a message of yours.</source><translation>Was mit einer Nachricht von dir mitkäme.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What {name} knew</source><translation>Was {name} wusste</translation></message></context>
<context><name>HydrationWidgets</name><message><source>What {name} will be told</source><translation>Was {name} erfährt</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Whose start you look at: below is what this agent would be told now.</source><translation>Wessen Start du ansiehst: Unten steht, was dieser Agent jetzt erführe.</translation></message></context>
<context><name>HydrationWidgets</name><message><source>Workspace, conversation, policy, a past moment</source><translation>Arbeitsbereich, Gespräch, Regeln, ein früherer Zeitpunkt</translation></message></context>
<context><name>ImportDialog</name><message><source>As the files say</source><translation>Wie die Dateien sagen</translation></message></context>
<context><name>ImportDialog</name><message><source>Changed ones:</source><translation>Geänderte:</translation></message></context>
<context><name>ImportDialog</name><message><source>Import</source><translation>Importieren</translation></message></context>
<context><name>ImportDialog</name><message><source>Import {name}</source><translation>{name} importieren</translation></message></context>
<context><name>ImportDialog</name><message><source>Into which scope</source><translation>In welchen Bereich</translation></message></context>
<context><name>ImportDialog</name><message><source>Into:</source><translation>In:</translation></message></context>
<context><name>ImportDialog</name><message><source>Keep both</source><translation>Beide behalten</translation></message></context>
<context><name>ImportDialog</name><message><source>Leave mine as they are</source><translation>Meine so lassen</translation></message></context>
<context><name>ImportDialog</name><message><source>Reading again…</source><translation>Wird neu gelesen…</translation></message></context>
<context><name>ImportDialog</name><message><source>Recognised as: {label}. Nothing is written yet; one undo takes it all back.</source><translation>Erkannt als: {label}. Noch ist nichts geschrieben; einmal Rückgängig nimmt alles zurück.</translation></message></context>
<context><name>ImportDialog</name><message><source>Take the imported text</source><translation>Importierten Text nehmen</translation></message></context>
<context><name>ImportDialog</name><message><source>What to do with changed memories</source><translation>Was mit geänderten Erinnerungen geschieht</translation></message></context>
<context><name>ImportDialog</name><message><source>Which text stays where you have one of the same name already.</source><translation>Welcher Text bleibt, wo du schon einen gleichen Namens hast.</translation></message></context>
<context><name>ImportDialog</name><message><source>Whose memory all of this becomes.</source><translation>Wessen Erinnerung all dies wird.</translation></message></context>
<context><name>ImportanceDots</name><message><source>Importance, 1 to 10</source><translation>Wichtigkeit, 1 bis 10</translation></message></context>
<context><name>ImportanceDots</name><message><source>They differ; choose one for all of them.</source><translation>Verschieden; wähle einen Wert für alle.</translation></message></context>
<context><name>ImportanceDots</name><message><source>context worth keeping for a while</source><translation>Zusammenhang, eine Weile nützlich</translation></message></context>
<context><name>ImportanceDots</name><message><source>critical knowledge</source><translation>entscheidendes Wissen</translation></message></context>
<context><name>ImportanceDots</name><message><source>important decisions and events</source><translation>wichtige Entscheidungen und Ereignisse</translation></message></context>
<context><name>ImportanceDots</name><message><source>standard working knowledge</source><translation>gewöhnliches Arbeitswissen</translation></message></context>
<context><name>ImportanceDots</name><message><source>transient; below 3 it goes after a month</source><translation>flüchtig; unter 3 verschwindet sie nach einem Monat</translation></message></context>
<context><name>ImportanceDots</name><message><source>{n} of 10: {meaning}</source><translation>{n} von 10: {meaning}</translation></message></context>
<context><name>Imports</name><message><source>Import a file (or drop a folder on the window)</source><translation>Datei importieren (oder einen Ordner aufs Fenster ziehen)</translation></message></context>
<context><name>Imports</name><message><source>Import a folder</source><translation>Ordner importieren</translation></message></context>
<context><name>Imports</name><message><source>Imported {what}</source><translation>{what} importiert</translation></message></context>
<context><name>Imports</name><message><source>Importing…</source><translation>Wird importiert…</translation></message></context>
<context><name>Imports</name><message><source>Reading {name}…</source><translation>{name} wird gelesen…</translation></message></context>
<context><name>Imports</name><message><source>There is no text in the clipboard.</source><translation>In der Zwischenablage ist kein Text.</translation></message></context>
<context><name>Imports</name><message><source>clipboard</source><translation>Zwischenablage</translation></message></context>
<context><name>JoinDialog</name><message><source>Folder</source><translation>Ordner</translation></message></context>
<context><name>JoinDialog</name><message><source>Join</source><translation>Verbinden</translation></message></context>
<context><name>JoinDialog</name><message><source>Join your other machines</source><translation>Mit deinen anderen Rechnern verbinden</translation></message></context>
<context><name>JoinDialog</name><message><source>Phrase</source><translation>Passphrase</translation></message></context>
<context><name>JoinDialog</name><message><source>The folder is the one your other machine shares through, as it has arrived here. The phrase is shown there by “Invite a machine…” and is good for a day.</source><translation>Der Ordner ist der, über den der andere Rechner teilt, so wie er hier angekommen ist. Die Passphrase zeigt dort „Rechner einladen…“; sie gilt einen Tag.</translation></message></context>
<context><name>JoinDialog</name><message><source>The words that the other machine shows; they let this one in.</source><translation>Die Wörter, die der andere Rechner zeigt; mit ihnen kommt dieser dazu.</translation></message></context>
<context><name>JoinDialog</name><message><source>Where that folder is on this machine.</source><translation>Wo dieser Ordner auf diesem Rechner liegt.</translation></message></context>
<context><name>JoinDialog</name><message><source>six short words</source><translation>sechs kurze Wörter</translation></message></context>
<context><name>KeptPage</name><message><source>Each line of a list in this file is a memory. What you change or forget here changes there, and what the agent adds there comes here.</source><translation>Jede Zeile einer Liste in dieser Datei ist eine Erinnerung. Was du hier änderst oder vergisst, ändert sich dort, und was der Agent dort hinzufügt, kommt hierher.</translation></message></context>
<context><name>KeptPage</name><message><source>Each note there is a memory, and each memory of this scope a note there: what changes on one side follows on the other.</source><translation>Jede Notiz dort ist eine Erinnerung, und jede Erinnerung dieses Bereichs eine Notiz dort: Was sich auf der einen Seite ändert, folgt auf der anderen.</translation></message></context>
<context><name>KeptPage</name><message><source>Keep in step</source><translation>Im Gleichschritt halten</translation></message></context>
<context><name>KeptPage</name><message><source>Leave it alone…</source><translation>In Ruhe lassen…</translation></message></context>
<context><name>KeptPage</name><message><source>Off: it is kept as far as the agent is trusted, without asking you.</source><translation>Aus: Es wird behalten, soweit dem Agenten vertraut wird, ohne dich zu fragen.</translation></message></context>
<context><name>KeptPage</name><message><source>What the agent writes there waits for my review</source><translation>Was der Agent dort schreibt, wartet auf meine Prüfung</translation></message></context>
<context><name>KeptPage</name><message><source>in step</source><translation>im Gleichschritt</translation></message></context>
<context><name>KeptPage</name><message><source>not in step</source><translation>nicht im Gleichschritt</translation></message></context>
<context><name>KeyDialog</name><message><source>Its key is not known on this machine. Type the recovery key that you wrote down when it was encrypted.</source><translation>Sein Schlüssel ist auf diesem Rechner nicht bekannt. Gib den Wiederherstellungsschlüssel ein, den du beim Verschlüsseln aufgeschrieben hast.</translation></message></context>
<context><name>KeyDialog</name><message><source>Keep the key in this system's keyring</source><translation>Den Schlüssel im Schlüsselbund dieses Systems behalten</translation></message></context>
<context><name>KeyDialog</name><message><source>Look in the keyring again</source><translation>Noch einmal im Schlüsselbund nachsehen</translation></message></context>
<context><name>KeyDialog</name><message><source>Quit</source><translation>Beenden</translation></message></context>
<context><name>KeyDialog</name><message><source>Recovery key</source><translation>Wiederherstellungsschlüssel</translation></message></context>
<context><name>KeyDialog</name><message><source>The letters that open this vault; without them nobody can, not even you.</source><translation>Die Zeichen, die diesen Tresor öffnen; ohne sie kann es niemand, auch du nicht.</translation></message></context>
<context><name>KeyDialog</name><message><source>Then the vault opens by itself for you, and the key is not asked for again.</source><translation>Dann öffnet sich der Tresor für dich von selbst, und niemand fragt wieder nach dem Schlüssel.</translation></message></context>
<context><name>KeyDialog</name><message><source>This system has no keyring: the key is asked for each time</source><translation>Dieses System hat keinen Schlüsselbund: Der Schlüssel wird jedes Mal erfragt</translation></message></context>
<context><name>KeyDialog</name><message><source>This vault is encrypted</source><translation>Dieser Tresor ist verschlüsselt</translation></message></context>
<context><name>KeyDialog</name><message><source>Unlock</source><translation>Entsperren</translation></message></context>
<context><name>KeyDialog</name><message><source>Unlock opens it without keeping the key.</source><translation>„Entsperren“ öffnet ihn, ohne den Schlüssel zu behalten.</translation></message></context>
<context><name>KeyField</name><message><source>Opens quick capture from any program, while the window runs or is in the tray.</source><translation>Öffnet „Schnell notieren“ aus jedem Programm, solange das Fenster läuft oder im Infobereich liegt.</translation></message></context>
<context><name>KeyField</name><message><source>This desktop gives no key to programs. In its own settings, bind a key to the command keepsake capture: it opens quick capture from any program.</source><translation>Diese Arbeitsumgebung gibt Programmen keine Taste. Belege in ihren eigenen Einstellungen eine Taste mit dem Befehl keepsake capture: Er öffnet „Schnell notieren“ aus jedem Programm.</translation></message></context>
<context><name>LearnedList</name><message><source>Forget all of it</source><translation>Alles davon vergessen</translation></message></context>
<context><name>LearnedList</name><message><source>Forget this</source><translation>Dies vergessen</translation></message></context>
<context><name>LearnedList</name><message><source>Learn from it now</source><translation>Jetzt daraus lernen</translation></message></context>
<context><name>LearnedList</name><message><source>Learned from it</source><translation>Daraus gelernt</translation></message></context>
<context><name>LearnedList</name><message><source>Nothing was learned from it</source><translation>Daraus wurde nichts gelernt</translation></message></context>
<context><name>LearnedList</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>LearnedList</name><message><source>Open what was learned</source><translation>Das Gelernte öffnen</translation></message></context>
<context><name>LearnedList</name><message><source>Review</source><translation>Prüfen</translation></message></context>
<context><name>LearnedList</name><message><source>When it has been quiet for a while, what lasts is taken from it.</source><translation>Ist es eine Weile still, wird daraus gelernt, was bleiben soll.</translation></message></context>
<context><name>LearnedList</name><message><source>Where it was said</source><translation>Wo es gesagt wurde</translation></message></context>
<context><name>LearnedList</name><message><source>forgotten</source><translation>vergessen</translation></message></context>
<context><name>LearnedList</name><message><source>waits for review</source><translation>wartet auf Prüfung</translation></message></context>
<context><name>LinkChart</name><message><source>Picture of linked memories</source><translation>Bild der verbundenen Erinnerungen</translation></message></context>
<context><name>LinksPanel</name><message><source>It names</source><translation>Sie nennt</translation></message></context>
<context><name>LinksPanel</name><message><source>Learned from</source><translation>Gelernt aus</translation></message></context>
<context><name>LinksPanel</name><message><source>Links of this memory</source><translation>Verbindungen dieser Erinnerung</translation></message></context>
<context><name>LinksPanel</name><message><source>Names it</source><translation>Genannt von</translation></message></context>
<context><name>LinksPanel</name><message><source>Near in meaning</source><translation>Ähnliche Bedeutung</translation></message></context>
<context><name>LinksPanel</name><message><source>Nothing is linked to it</source><translation>Nichts ist damit verbunden</translation></message></context>
<context><name>LinksPanel</name><message><source>Write [[the name of another memory]] in the text to link the two.</source><translation>Schreib [[den Namen einer anderen Erinnerung]] in den Text, um beide zu verbinden.</translation></message></context>
<context><name>LinksView</name><message><source>Click a memory to open it.</source><translation>Klicke eine Erinnerung an, um sie zu öffnen.</translation></message></context>
<context><name>LinksView</name><message><source>Links</source><translation>Bezüge</translation></message></context>
<context><name>LinksView</name><message><source>Nothing is linked yet</source><translation>Noch ist nichts verbunden</translation></message></context>
<context><name>LinksView</name><message><source>The {n} with the most links of {total} are drawn.</source><translation>Die {n} mit den meisten Verbindungen von {total} sind gezeichnet.</translation></message></context>
<context><name>LinksView</name><message><source>Write [[the name of another memory]] in a text, and the two are linked.</source><translation>Schreib [[den Namen einer anderen Erinnerung]] in einen Text, und beide sind verbunden.</translation></message></context>
<context><name>LinksView</name><message><source>learned from the same conversation</source><translation>im selben Gespräch gelernt</translation></message></context>
<context><name>LinksView</name><message><source>names it in its text, as [[name]]</source><translation>nennt sie im Text, als [[Name]]</translation></message></context>
<context><name>LinksView</name><message><source>related, as an agent noted</source><translation>verwandt, wie ein Agent notierte</translation></message></context>
<context><name>ListPane</name><message><source>Change the selected memories</source><translation>Die ausgewählten Erinnerungen ändern</translation></message></context>
<context><name>ListPane</name><message><source>Change ▾</source><translation>Ändern ▾</translation></message></context>
<context><name>ListPane</name><message><source>Clear filters</source><translation>Filter entfernen</translation></message></context>
<context><name>ListPane</name><message><source>Clear the search</source><translation>Suche leeren</translation></message></context>
<context><name>ListPane</name><message><source>Empty the trash</source><translation>Papierkorb leeren</translation></message></context>
<context><name>ListPane</name><message><source>Empty…</source><translation>Leeren…</translation></message></context>
<context><name>ListPane</name><message><source>Erases for good what is in the trash.</source><translation>Löscht endgültig, was im Papierkorb liegt.</translation></message></context>
<context><name>ListPane</name><message><source>No memories here yet</source><translation>Hier gibt es noch keine Erinnerungen</translation></message></context>
<context><name>ListPane</name><message><source>Nothing expires soon</source><translation>Nichts läuft bald ab</translation></message></context>
<context><name>ListPane</name><message><source>Nothing found</source><translation>Nichts gefunden</translation></message></context>
<context><name>ListPane</name><message><source>Press Ctrl+N to write one, or let an agent do it.</source><translation>Drücke Strg+N, um eine zu schreiben, oder überlass es einem Agenten.</translation></message></context>
<context><name>ListPane</name><message><source>The trash is empty</source><translation>Der Papierkorb ist leer</translation></message></context>
<context><name>ListPane</name><message><source>Try other words, or take a filter away.</source><translation>Versuche andere Wörter oder nimm einen Filter weg.</translation></message></context>
<context><name>ListPane</name><message><source>Try other words.</source><translation>Versuche es mit anderen Wörtern.</translation></message></context>
<context><name>ListPane</name><message><source>What can be done with all selected memories at once.</source><translation>Was sich mit allen ausgewählten Erinnerungen zugleich tun lässt.</translation></message></context>
<context><name>ListPane</name><message><source>What goes away by itself is listed here before it goes: daily memories, and those with a day under “Until when”.</source><translation>Was von selbst verschwindet, steht hier, bevor es geht: Tageserinnerungen und solche mit einem Tag unter „Bis wann“.</translation></message></context>
<context><name>ListPane</name><message><source>words</source><translation>Wörter</translation></message></context>
<context><name>ListPane</name><message><source>words and meaning</source><translation>Wörter und Bedeutung</translation></message></context>
<context><name>ListPane</name><message><source>{n} of {total}</source><translation>{n} von {total}</translation></message></context>
<context><name>ListPane</name><message><source>{n} of {total} match “{query}”</source><translation>{n} von {total} passen zu „{query}“</translation></message></context>
<context><name>MachineRounds</name><message><source>Invite a machine</source><translation>Rechner einladen</translation></message></context>
<context><name>MachineRounds</name><message><source>Stop sharing</source><translation>Nicht mehr teilen</translation></message></context>
<context><name>MachineRounds</name><message><source>Syncing…</source><translation>Wird abgeglichen…</translation></message></context>
<context><name>MachinesDialog</name><message><source>Choose a folder that Syncthing, a cloud, git or a stick carries to your other machines. Only sealed files go there; no account is needed, and nobody but your machines can read them.</source><translation>Wähle einen Ordner, den Syncthing, eine Cloud, git oder ein Stick zu deinen anderen Rechnern bringt. Dorthin kommen nur versiegelte Dateien; es braucht kein Konto, und niemand außer deinen Rechnern kann sie lesen.</translation></message></context>
<context><name>MachinesDialog</name><message><source>Done: {sent} files sent, {read} read, {changed} changes here.</source><translation>Fertig: {sent} Dateien gesendet, {read} gelesen, {changed} Änderungen hier.</translation></message></context>
<context><name>MachinesDialog</name><message><source>Invite a machine</source><translation>Rechner einladen</translation></message></context>
<context><name>MachinesDialog</name><message><source>Join your other machines…</source><translation>Mit deinen anderen Rechnern verbinden…</translation></message></context>
<context><name>MachinesDialog</name><message><source>Machines</source><translation>Rechner</translation></message></context>
<context><name>MachinesDialog</name><message><source>On the other machine choose Vault › Machines… › Join, once the folder is there, and give it this phrase within a day. Whoever has it and the folder reads everything:</source><translation>Wähle am anderen Rechner Tresor › Rechner… › Verbinden, sobald der Ordner dort ist, und gib innerhalb eines Tages diese Passphrase ein. Wer sie und den Ordner hat, liest alles:</translation></message></context>
<context><name>MachinesDialog</name><message><source>One memory on all your machines</source><translation>Ein Gedächtnis auf allen deinen Rechnern</translation></message></context>
<context><name>MachinesDialog</name><message><source>Share through a folder</source><translation>Über einen Ordner teilen</translation></message></context>
<context><name>MachinesDialog</name><message><source>Share through a folder…</source><translation>Über einen Ordner teilen…</translation></message></context>
<context><name>MachinesDialog</name><message><source>Stop sharing</source><translation>Nicht mehr teilen</translation></message></context>
<context><name>MachinesDialog</name><message><source>Stop sharing this vault? Its memories stay, here and on your machines.</source><translation>Diesen Tresor nicht mehr teilen? Seine Erinnerungen bleiben, hier und auf deinen Rechnern.</translation></message></context>
<context><name>MachinesDialog</name><message><source>Take out</source><translation>Herausnehmen</translation></message></context>
<context><name>MachinesDialog</name><message><source>Take {name} out? It keeps what it has and can read nothing that is written from now on, once your other machines have heard of it.</source><translation>{name} herausnehmen? Er behält, was er hat, und kann nichts lesen, was ab jetzt geschrieben wird, sobald deine anderen Rechner davon wissen.</translation></message></context>
<context><name>MachinesPage</name><message><source>Invite a machine…</source><translation>Rechner einladen…</translation></message></context>
<context><name>MachinesPage</name><message><source>It has not confirmed yet that it erased {n} of what you erased.</source><translation>Er hat noch nicht bestätigt, dass er {n} von dem gelöscht hat, was du endgültig gelöscht hast.</translation></message></context>
<context><name>MachinesPage</name><message><source>Last heard {when}.</source><translation>Zuletzt gehört: {when}.</translation></message></context>
<context><name>MachinesPage</name><message><source>Nothing has arrived from it yet.</source><translation>Von ihm ist noch nichts angekommen.</translation></message></context>
<context><name>MachinesPage</name><message><source>Something written here is not in the folder yet.</source><translation>Etwas hier Geschriebenes ist noch nicht im Ordner.</translation></message></context>
<context><name>MachinesPage</name><message><source>Stop sharing…</source><translation>Nicht mehr teilen…</translation></message></context>
<context><name>MachinesPage</name><message><source>Sync now</source><translation>Jetzt abgleichen</translation></message></context>
<context><name>MachinesPage</name><message><source>Take this machine out…</source><translation>Diesen Rechner herausnehmen…</translation></message></context>
<context><name>MachinesPage</name><message><source>The block “{name}” was begun twice: it has the lines of both.</source><translation>Der Block „{name}“ wurde zweimal begonnen: Er hat die Zeilen von beiden.</translation></message></context>
<context><name>MachinesPage</name><message><source>This is the machine you sit at.</source><translation>Das ist der Rechner, an dem du sitzt.</translation></message></context>
<context><name>MachinesPage</name><message><source>Two memories were called “{name}”: the younger has another key now.</source><translation>Zwei Erinnerungen hießen „{name}“: Die jüngere hat jetzt einen anderen Schlüssel.</translation></message></context>
<context><name>MachinesPage</name><message><source>{name} had more memories than its cap: those unused the longest are in the trash.</source><translation>{name} hatte mehr Erinnerungen als erlaubt: Die am längsten ungenutzten sind im Papierkorb.</translation></message></context>
<context><name>MainWindow</name><message><source>Drop it to see what it would bring in; nothing is written before you agree.</source><translation>Loslassen zeigt, was hereinkäme; nichts wird geschrieben, bevor du zustimmst.</translation></message></context>
<context><name>MapView</name><message><source>Change tags…</source><translation>Schlagwörter ändern…</translation></message></context>
<context><name>MapView</name><message><source>Click a point to open the memory.</source><translation>Klicke einen Punkt an, um die Erinnerung zu öffnen.</translation></message></context>
<context><name>MapView</name><message><source>Colour by</source><translation>Farbe nach</translation></message></context>
<context><name>MapView</name><message><source>Draw around memories to select them; or hold Shift</source><translation>Umrande Erinnerungen, um sie auszuwählen; oder halte die Umschalttaste</translation></message></context>
<context><name>MapView</name><message><source>Drawing the map…</source><translation>Die Karte wird gezeichnet…</translation></message></context>
<context><name>MapView</name><message><source>Forget</source><translation>Vergessen</translation></message></context>
<context><name>MapView</name><message><source>Lasso</source><translation>Lasso</translation></message></context>
<context><name>MapView</name><message><source>Make core</source><translation>Zum Kern machen</translation></message></context>
<context><name>MapView</name><message><source>Map</source><translation>Karte</translation></message></context>
<context><name>MapView</name><message><source>Map of memories by meaning</source><translation>Karte der Erinnerungen nach Bedeutung</translation></message></context>
<context><name>MapView</name><message><source>Memories appear here once they were read for search by meaning.</source><translation>Erinnerungen erscheinen hier, sobald sie für die Suche nach Bedeutung gelesen sind.</translation></message></context>
<context><name>MapView</name><message><source>Nothing to draw yet</source><translation>Noch nichts zu zeichnen</translation></message></context>
<context><name>MapView</name><message><source>The newest {n} of {total} are drawn.</source><translation>Die neuesten {n} von {total} sind gezeichnet.</translation></message></context>
<context><name>MapView</name><message><source>What the colours of the dots mean.</source><translation>Was die Farben der Punkte bedeuten.</translation></message></context>
<context><name>MapView</name><message><source>by age</source><translation>nach Alter</translation></message></context>
<context><name>MapView</name><message><source>by category</source><translation>nach Kategorie</translation></message></context>
<context><name>MapView</name><message><source>by scope</source><translation>nach Bereich</translation></message></context>
<context><name>MapView</name><message><source>older</source><translation>älter</translation></message></context>
<context><name>MapView</name><message><source>this month</source><translation>diesen Monat</translation></message></context>
<context><name>MapView</name><message><source>this week</source><translation>diese Woche</translation></message></context>
<context><name>MapView</name><message><source>today</source><translation>heute</translation></message></context>
<context><name>MapView</name><message><source>{what} selected</source><translation>{what} ausgewählt</translation></message></context>
<context><name>MergeDialog</name><message><source>Keep</source><translation>Behalten</translation></message></context>
<context><name>MergeDialog</name><message><source>Memory to keep</source><translation>Erinnerung, die bleibt</translation></message></context>
<context><name>MergeDialog</name><message><source>Merge</source><translation>Zusammenführen</translation></message></context>
<context><name>MergeDialog</name><message><source>Merge {what}</source><translation>{what} zusammenführen</translation></message></context>
<context><name>MergeDialog</name><message><source>One memory stays and says it all; the others go to the trash.</source><translation>Eine Erinnerung bleibt und sagt alles; die anderen kommen in den Papierkorb.</translation></message></context>
<context><name>MergeDialog</name><message><source>The merged memory</source><translation>Die zusammengeführte Erinnerung</translation></message></context>
<context><name>MergeDialog</name><message><source>The one text that stays; the others go to the trash and stay in its history.</source><translation>Der eine Text, der bleibt; die anderen kommen in den Papierkorb und bleiben im Verlauf.</translation></message></context>
<context><name>MergeDialog</name><message><source>The one whose name and history go on.</source><translation>Die, deren Name und Verlauf weitergehen.</translation></message></context>
<context><name>MessagePage</name><message><source>A message to the agent</source><translation>Eine Nachricht an den Agenten</translation></message></context>
<context><name>MessagePage</name><message><source>Archival lines, by the policy</source><translation>Archivzeilen, wie es die Regeln vorsehen</translation></message></context>
<context><name>MessagePage</name><message><source>Below the cut: the agent is given {n} at most</source><translation>Unter dem Strich: Der Agent bekommt höchstens {n}</translation></message></context>
<context><name>MessagePage</name><message><source>Memories for this message</source><translation>Erinnerungen zu dieser Nachricht</translation></message></context>
<context><name>MessagePage</name><message><source>Message to try</source><translation>Nachricht zum Probieren</translation></message></context>
<context><name>MessagePage</name><message><source>Nearness of meaning: {n}</source><translation>Nähe der Bedeutung: {n}</translation></message></context>
<context><name>MessagePage</name><message><source>No memory matches this message.</source><translation>Keine Erinnerung passt zu dieser Nachricht.</translation></message></context>
<context><name>MessagePage</name><message><source>Not given: too far from the message</source><translation>Nicht mitgegeben: zu weit von der Nachricht entfernt</translation></message></context>
<context><name>MessagePage</name><message><source>Type what you would say to see which memories would come along.</source><translation>Schreib, was du sagen würdest, um zu sehen, welche Erinnerungen mitkämen.</translation></message></context>
<context><name>MessagePage</name><message><source>Type what you would say: below stand the memories that come with it.</source><translation>Schreib, was du sagen würdest: Darunter stehen die Erinnerungen, die mitgegeben werden.</translation></message></context>
<context><name>MessagePage</name><message><source>With this message: {what}, {size} of text.</source><translation>Zu dieser Nachricht: {what}, {size} Text.</translation></message></context>
<context><name>Messages</name><message><source>Copy details</source><translation>Einzelheiten kopieren</translation></message></context>
<context><name>Messages</name><message><source>Something went wrong inside Keepsake: {error}.</source><translation>In Keepsake ging etwas schief: {error}.</translation></message></context>
<context><name>Messages</name><message><source>Your memories were checked: all are as they were written.</source><translation>Deine Erinnerungen wurden geprüft: Alle sind so, wie sie geschrieben wurden.</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Conflicts</source><translation>Konflikte</translation></message></context>
<context><name>MirrorConflicts</name><message><source>From the folder</source><translation>Aus dem Ordner</translation></message></context>
<context><name>MirrorConflicts</name><message><source>From the vault</source><translation>Aus dem Tresor</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Keep both</source><translation>Beide behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Keep the folder's</source><translation>Die aus dem Ordner behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Keep the vault's</source><translation>Die aus dem Tresor behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Kept both versions</source><translation>Beide Fassungen behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Kept the folder's version</source><translation>Fassung aus dem Ordner behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Kept the vault's version</source><translation>Fassung aus dem Tresor behalten</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>MirrorConflicts</name><message><source>Open the version from the vault</source><translation>Die Fassung aus dem Tresor öffnen</translation></message></context>
<context><name>MirrorPage</name><message><source>Forget what is missing…</source><translation>Vergessen, was fehlt…</translation></message></context>
<context><name>MirrorPage</name><message><source>Show the folder</source><translation>Den Ordner zeigen</translation></message></context>
<context><name>MirrorPage</name><message><source>Stop mirroring…</source><translation>Nicht mehr spiegeln…</translation></message></context>
<context><name>MirrorPage</name><message><source>Sync now</source><translation>Jetzt abgleichen</translation></message></context>
<context><name>MirrorPage</name><message><source>Write the notes again</source><translation>Die Notizen neu schreiben</translation></message></context>
<context><name>MirrorPage</name><message><source>since {day}</source><translation>seit {day}</translation></message></context>
<context><name>MirrorRounds</name><message><source>Mirroring…</source><translation>Wird gespiegelt…</translation></message></context>
<context><name>MirrorRounds</name><message><source>Syncing…</source><translation>Wird abgeglichen…</translation></message></context>
<context><name>MirrorWords</name><message><source>Bring the folder back and it goes on by itself.</source><translation>Ist der Ordner wieder da, geht es von selbst weiter.</translation></message></context>
<context><name>MirrorWords</name><message><source>Done: {what}.</source><translation>Fertig: {what}.</translation></message></context>
<context><name>MirrorWords</name><message><source>It halted and waits for you.</source><translation>Er hat angehalten und wartet auf dich.</translation></message></context>
<context><name>MirrorWords</name><message><source>No memory was forgotten.</source><translation>Keine Erinnerung wurde vergessen.</translation></message></context>
<context><name>MirrorWords</name><message><source>Nothing had changed.</source><translation>Nichts hatte sich geändert.</translation></message></context>
<context><name>MirrorWords</name><message><source>The folder is not there: it was moved or removed, or its disk is not mounted.</source><translation>Der Ordner ist nicht da: Er wurde verschoben oder entfernt, oder sein Laufwerk ist nicht eingehängt.</translation></message></context>
<context><name>MirrorWords</name><message><source>The folder lacks its marker file {marker}: it was emptied, replaced, or is another one.</source><translation>Dem Ordner fehlt seine Markierungsdatei {marker}: Er wurde geleert, ersetzt oder ist ein anderer.</translation></message></context>
<context><name>MirrorWords</name><message><source>When that is mended, choose Sync now.</source><translation>Wenn das behoben ist, „Jetzt abgleichen“ wählen.</translation></message></context>
<context><name>MirrorWords</name><message><source>changed: {n}</source><translation>geändert: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>edits are yours</source><translation>Änderungen sind deine</translation></message></context>
<context><name>MirrorWords</name><message><source>edits by whoever works there</source><translation>Änderungen von allen, die dort arbeiten</translation></message></context>
<context><name>MirrorWords</name><message><source>edits by {agent}</source><translation>Änderungen von {agent}</translation></message></context>
<context><name>MirrorWords</name><message><source>edits by {agent} wait for review</source><translation>Änderungen von {agent} warten auf Durchsicht</translation></message></context>
<context><name>MirrorWords</name><message><source>files left alone: {n}</source><translation>Dateien unberührt: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>forgotten: {n}</source><translation>vergessen: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>halted</source><translation>angehalten</translation></message></context>
<context><name>MirrorWords</name><message><source>in step</source><translation>auf gleichem Stand</translation></message></context>
<context><name>MirrorWords</name><message><source>kept in both versions: {n}</source><translation>in beiden Fassungen behalten: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>new memories: {n}</source><translation>neue Erinnerungen: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>notes removed: {n}</source><translation>Notizen entfernt: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>notes written: {n}</source><translation>Notizen geschrieben: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>some files are left alone</source><translation>einige Dateien bleiben unberührt</translation></message></context>
<context><name>MirrorWords</name><message><source>waiting for review: {n}</source><translation>warten auf Prüfung: {n}</translation></message></context>
<context><name>MirrorWords</name><message><source>{gone} of {all} notes vanished at once.</source><translation>{gone} von {all} Notizen sind auf einmal verschwunden.</translation></message></context>
<context><name>MirrorWords</name><message><source>“Forget what is missing” is for notes you removed on purpose: their memories go to the trash, where they can be restored.</source><translation>„Vergessen, was fehlt“ ist für Notizen, die du absichtlich entfernt hast: Ihre Erinnerungen kommen in den Papierkorb und lassen sich von dort zurückholen.</translation></message></context>
<context><name>MirrorWords</name><message><source>“Write the notes again” puts every missing note back from its memory.</source><translation>„Die Notizen neu schreiben“ legt jede fehlende Notiz aus ihrer Erinnerung wieder an.</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Forget</source><translation>Vergessen</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Mirror a folder…</source><translation>Einen Ordner spiegeln…</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Mirror one to read and edit memories as files, with any editor.</source><translation>Spiegle einen, um Erinnerungen als Dateien zu lesen und zu ändern, mit jedem Editor.</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Mirrored folders</source><translation>Gespiegelte Ordner</translation></message></context>
<context><name>MirrorsDialog</name><message><source>No folder is mirrored</source><translation>Kein Ordner wird gespiegelt</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Put the memories whose notes are missing into the trash?</source><translation>Die Erinnerungen, deren Notizen fehlen, in den Papierkorb legen?</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Stop mirroring</source><translation>Nicht mehr spiegeln</translation></message></context>
<context><name>MirrorsDialog</name><message><source>Stop mirroring {folder}? Its files and the memories stay.</source><translation>{folder} nicht mehr spiegeln? Die Dateien und die Erinnerungen bleiben.</translation></message></context>
<context><name>ModelState</name><message><source>Embed what waits now</source><translation>Wartendes jetzt einbetten</translation></message></context>
<context><name>ModelState</name><message><source>Embedded {what}.</source><translation>{what} eingebettet.</translation></message></context>
<context><name>ModelState</name><message><source>Embedding…</source><translation>Wird eingebettet…</translation></message></context>
<context><name>ModelState</name><message><source>Everything is embedded.</source><translation>Alles ist eingebettet.</translation></message></context>
<context><name>ModelState</name><message><source>Make all vectors again</source><translation>Alle Vektoren neu anlegen</translation></message></context>
<context><name>OwnWordsDialog</name><message><source>In your words</source><translation>In deinen Worten</translation></message></context>
<context><name>OwnWordsDialog</name><message><source>Take over</source><translation>Übernehmen</translation></message></context>
<context><name>OwnWordsDialog</name><message><source>The memory it becomes, as you would say it.</source><translation>Die Erinnerung, die daraus wird, so wie du sie sagen würdest.</translation></message></context>
<context><name>Palette</name><message><source>Choices</source><translation>Auswahl</translation></message></context>
<context><name>Palette</name><message><source>Command palette</source><translation>Befehlspalette</translation></message></context>
<context><name>Palette</name><message><source>Find or do anything</source><translation>Alles finden oder tun</translation></message></context>
<context><name>Palette</name><message><source>Find or do anything   ·   &gt; commands   @ agents   # tags</source><translation>Alles finden oder tun   ·   &gt; Befehle   @ Agenten   # Schlagwörter</translation></message></context>
<context><name>Palette</name><message><source>Type a few letters; # narrows to labels, @ to agents, &gt; to commands.</source><translation>Schreib ein paar Buchstaben; # grenzt auf Schlagwörter ein, @ auf Agenten, &gt; auf Befehle.</translation></message></context>
<context><name>PaletteSources</name><message><source>Create “{text}”</source><translation>„{text}“ anlegen</translation></message></context>
<context><name>PaletteSources</name><message><source>New memory</source><translation>Neue Erinnerung</translation></message></context>
<context><name>PassportPage</name><message><source>About me:</source><translation>Über mich:</translation></message></context>
<context><name>PassportPage</name><message><source>Copied. Paste it where they take notes about you.</source><translation>Kopiert. Füge es dort ein, wo sie sich über dich Notizen machen.</translation></message></context>
<context><name>PassportPage</name><message><source>Copy</source><translation>Kopieren</translation></message></context>
<context><name>PassportPage</name><message><source>Correct what you know about me:</source><translation>Berichtige, was du über mich weißt:</translation></message></context>
<context><name>PassportPage</name><message><source>Counted in</source><translation>Gezählt in</translation></message></context>
<context><name>PassportPage</name><message><source>How large the text may be; ChatGPT takes 1,500 letters.</source><translation>Wie groß der Text sein darf; ChatGPT nimmt 1.500 Zeichen.</translation></message></context>
<context><name>PassportPage</name><message><source>Not true, forget it: {what}</source><translation>Stimmt nicht, vergiss es: {what}</translation></message></context>
<context><name>PassportPage</name><message><source>Passport</source><translation>Pass</translation></message></context>
<context><name>PassportPage</name><message><source>Save the passport</source><translation>Den Pass speichern</translation></message></context>
<context><name>PassportPage</name><message><source>Save…</source><translation>Speichern…</translation></message></context>
<context><name>PassportPage</name><message><source>Size</source><translation>Größe</translation></message></context>
<context><name>PassportPage</name><message><source>Size in numbers</source><translation>Größe als Zahl</translation></message></context>
<context><name>PassportPage</name><message><source>Text files (*.txt)</source><translation>Textdateien (*.txt)</translation></message></context>
<context><name>PassportPage</name><message><source>The same as a number.</source><translation>Dasselbe als Zahl.</translation></message></context>
<context><name>PassportPage</name><message><source>What the other side counts.</source><translation>Was die andere Seite zählt.</translation></message></context>
<context><name>PassportPage</name><message><source>What to paste there; nothing muted for the cloud is in it.</source><translation>Was du dort einfügst; nichts, was der Cloud verschwiegen wird, steht darin.</translation></message></context>
<context><name>PassportPage</name><message><source>bytes</source><translation>Bytes</translation></message></context>
<context><name>PassportPage</name><message><source>characters</source><translation>Zeichen</translation></message></context>
<context><name>PassportPage</name><message><source>{used} of {size}</source><translation>{used} von {size}</translation></message></context>
<context><name>PlanModel</name><message><source>From</source><translation>Aus</translation></message></context>
<context><name>PlanModel</name><message><source>Scope</source><translation>Bereich</translation></message></context>
<context><name>PlanModel</name><message><source>State</source><translation>Stand</translation></message></context>
<context><name>PlanModel</name><message><source>What</source><translation>Was</translation></message></context>
<context><name>PlanModel</name><message><source>What happens</source><translation>Was geschieht</translation></message></context>
<context><name>PlanModel</name><message><source>a file</source><translation>eine Datei</translation></message></context>
<context><name>PlanModel</name><message><source>already here</source><translation>schon da</translation></message></context>
<context><name>PlanModel</name><message><source>becomes the imported text</source><translation>wird zum importierten Text</translation></message></context>
<context><name>PlanModel</name><message><source>block {name}</source><translation>Block {name}</translation></message></context>
<context><name>PlanModel</name><message><source>both are kept</source><translation>beide bleiben</translation></message></context>
<context><name>PlanModel</name><message><source>changed</source><translation>geändert</translation></message></context>
<context><name>PlanModel</name><message><source>is added</source><translation>kommt hinzu</translation></message></context>
<context><name>PlanModel</name><message><source>new</source><translation>neu</translation></message></context>
<context><name>PlanModel</name><message><source>nothing: it is here already</source><translation>nichts: schon vorhanden</translation></message></context>
<context><name>PlanModel</name><message><source>refused</source><translation>abgelehnt</translation></message></context>
<context><name>PlanModel</name><message><source>waits for your review</source><translation>wartet auf deine Prüfung</translation></message></context>
<context><name>PlanModel</name><message><source>yours stays as it is</source><translation>deines bleibt, wie es ist</translation></message></context>
<context><name>PlanRowDetail</name><message><source>As for all</source><translation>Wie bei allen</translation></message></context>
<context><name>PlanRowDetail</name><message><source>In the file</source><translation>In der Datei</translation></message></context>
<context><name>PlanRowDetail</name><message><source>In the vault</source><translation>Im Tresor</translation></message></context>
<context><name>PlanRowDetail</name><message><source>This one:</source><translation>Dieses:</translation></message></context>
<context><name>PlanRowDetail</name><message><source>What to do with this one</source><translation>Was mit diesem geschehen soll</translation></message></context>
<context><name>PlanRowDetail</name><message><source>Whether this one comes in, and what happens to yours.</source><translation>Ob dieses hereinkommt und was mit deinem geschieht.</translation></message></context>
<context><name>PlanTable</name><message><source>What was found and what would happen to it; nothing is written yet.</source><translation>Was gefunden wurde und was damit geschähe; noch ist nichts geschrieben.</translation></message></context>
<context><name>PlanTable</name><message><source>What would be imported</source><translation>Was importiert würde</translation></message></context>
<context><name>Preview</name><message><source>It leads to:&#10;{link}</source><translation>Er führt zu:&#10;{link}</translation></message></context>
<context><name>Preview</name><message><source>Link not opened</source><translation>Verweis nicht geöffnet</translation></message></context>
<context><name>Preview</name><message><source>Only web and mail links open from a memory. This one says:&#10;{link}</source><translation>Aus einer Erinnerung öffnen sich nur Web- und Mailverweise. Dieser lautet:&#10;{link}</translation></message></context>
<context><name>Preview</name><message><source>Open this link?</source><translation>Diesen Verweis öffnen?</translation></message></context>
<context><name>ProfileRows</name><message><source>any</source><translation>jede</translation></message></context>
<context><name>ProfileRows</name><message><source>as in Settings</source><translation>wie in den Einstellungen</translation></message></context>
<context><name>ProjectPage</name><message><source>Bytes at most</source><translation>Höchstens Bytes</translation></message></context>
<context><name>ProjectPage</name><message><source>Exactly what goes into the files, between two marks; the rest stays.</source><translation>Genau das, was zwischen zwei Marken in die Dateien kommt; der Rest bleibt.</translation></message></context>
<context><name>ProjectPage</name><message><source>Files</source><translation>Dateien</translation></message></context>
<context><name>ProjectPage</name><message><source>How long the part of Keepsake may get; the most important comes first.</source><translation>Wie lang der Teil von Keepsake werden darf; das Wichtigste kommt zuerst.</translation></message></context>
<context><name>ProjectPage</name><message><source>No memory of that workspace fits.</source><translation>Keine Erinnerung dieses Arbeitsbereichs passt.</translation></message></context>
<context><name>ProjectPage</name><message><source>Only memories with this label; empty takes all.</source><translation>Nur Erinnerungen mit diesem Schlagwort; leer: alle.</translation></message></context>
<context><name>ProjectPage</name><message><source>Only with tag</source><translation>Nur mit Schlagwort</translation></message></context>
<context><name>ProjectPage</name><message><source>Project</source><translation>Projekt</translation></message></context>
<context><name>ProjectPage</name><message><source>Put memories into a project</source><translation>Erinnerungen in ein Projekt bringen</translation></message></context>
<context><name>ProjectPage</name><message><source>Take it out again…</source><translation>Wieder herausnehmen…</translation></message></context>
<context><name>ProjectPage</name><message><source>The files that assistants read by themselves in a project.</source><translation>Die Dateien, die Assistenten in einem Projekt von selbst lesen.</translation></message></context>
<context><name>ProjectPage</name><message><source>The folder of the project whose files are written.</source><translation>Der Ordner des Projekts, in dessen Dateien geschrieben wird.</translation></message></context>
<context><name>ProjectPage</name><message><source>What would stand there</source><translation>Was dort stünde</translation></message></context>
<context><name>ProjectPage</name><message><source>Whether Keepsake writes its part into {file} of the project.</source><translation>Ob Keepsake seinen Teil in die Datei {file} des Projekts schreibt.</translation></message></context>
<context><name>ProjectPage</name><message><source>Whose memories stand in those files.</source><translation>Wessen Erinnerungen in diesen Dateien stehen.</translation></message></context>
<context><name>ProjectPage</name><message><source>Workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>ProjectPage</name><message><source>Write it</source><translation>Schreiben</translation></message></context>
<context><name>ProjectPage</name><message><source>all, the most important first</source><translation>alle, die wichtigsten zuerst</translation></message></context>
<context><name>ProjectPage</name><message><source>{used} of {most} bytes</source><translation>{used} von {most} Bytes</translation></message></context>
<context><name>ProposalView</name><message><source>Approve</source><translation>Genehmigen</translation></message></context>
<context><name>ProposalView</name><message><source>Approve all {n}</source><translation>Alle {n} genehmigen</translation></message></context>
<context><name>ProposalView</name><message><source>Approve this</source><translation>So genehmigen</translation></message></context>
<context><name>ProposalView</name><message><source>Change it before you approve; your text is what is kept.</source><translation>Ändere ihn, bevor du zustimmst; behalten wird dein Text.</translation></message></context>
<context><name>ProposalView</name><message><source>Edit and approve</source><translation>Bearbeiten und genehmigen</translation></message></context>
<context><name>ProposalView</name><message><source>Erase for good…</source><translation>Endgültig löschen…</translation></message></context>
<context><name>ProposalView</name><message><source>It holds characters that nobody sees ({n}); they are spelt ⟨U+…⟩ here and left out of what agents get.</source><translation>Enthält Zeichen, die niemand sieht ({n}); hier stehen sie als ⟨U+…⟩, Agenten bekommen sie nicht.</translation></message></context>
<context><name>ProposalView</name><message><source>Known already, and perhaps the same</source><translation>Schon bekannt und vielleicht dasselbe</translation></message></context>
<context><name>ProposalView</name><message><source>Let {agent} write by itself</source><translation>{agent} selbst schreiben lassen</translation></message></context>
<context><name>ProposalView</name><message><source>Near in meaning</source><translation>Ähnliche Bedeutung</translation></message></context>
<context><name>ProposalView</name><message><source>Now</source><translation>Jetzt</translation></message></context>
<context><name>ProposalView</name><message><source>Proposed</source><translation>Vorgeschlagen</translation></message></context>
<context><name>ProposalView</name><message><source>Reject</source><translation>Ablehnen</translation></message></context>
<context><name>ProposalView</name><message><source>Reject all {n}</source><translation>Alle {n} ablehnen</translation></message></context>
<context><name>ProposalView</name><message><source>The text to approve</source><translation>Der zu genehmigende Text</translation></message></context>
<context><name>ProposalView</name><message><source>What is proposed</source><translation>Was vorgeschlagen ist</translation></message></context>
<context><name>ProposalView</name><message><source>What would be written if you approve.</source><translation>Was geschrieben würde, wenn du zustimmst.</translation></message></context>
<context><name>ProposalView</name><message><source>You rejected this. It is kept until you erase it.</source><translation>Abgelehnt. Es bleibt aufgehoben, bis du es endgültig löschst.</translation></message></context>
<context><name>ProposalView</name><message><source>You said</source><translation>Du hast gesagt</translation></message></context>
<context><name>ProposalView</name><message><source>for itself</source><translation>für sich selbst</translation></message></context>
<context><name>ProposalView</name><message><source>{agent} · {scope} · {when}</source><translation>{agent} · {scope} · {when}</translation></message></context>
<context><name>ProposalView</name><message><source>{deed} {title}</source><translation>{deed}: {title}</translation></message></context>
<context><name>ProposalView</name><message><source>{speaker}, {when}: “{text}”</source><translation>{speaker}, {when}: „{text}“</translation></message></context>
<context><name>Proposals</name><message><source>(nothing)</source><translation>(nichts)</translation></message></context>
<context><name>Proposals</name><message><source>change</source><translation>ändern</translation></message></context>
<context><name>Proposals</name><message><source>correct</source><translation>berichtigen</translation></message></context>
<context><name>Proposals</name><message><source>edit block</source><translation>Block bearbeiten</translation></message></context>
<context><name>Proposals</name><message><source>forget</source><translation>vergessen</translation></message></context>
<context><name>Proposals</name><message><source>let into workspace</source><translation>einlassen in den Arbeitsbereich</translation></message></context>
<context><name>Proposals</name><message><source>make core</source><translation>zum Kern machen</translation></message></context>
<context><name>Proposals</name><message><source>no longer core</source><translation>nicht mehr Kern</translation></message></context>
<context><name>Proposals</name><message><source>overwrite</source><translation>überschreiben</translation></message></context>
<context><name>Proposals</name><message><source>remember</source><translation>merken</translation></message></context>
<context><name>Proposals</name><message><source>write block</source><translation>Block schreiben</translation></message></context>
<context><name>Proposals</name><message><source>{agent} asks to be let into the workspace {workspace}: to read what is shared there, and to write as its trust allows.</source><translation>{agent} bittet um Einlass in den Arbeitsbereich {workspace}: um zu lesen, was dort geteilt wird, und zu schreiben, wie es ihm erlaubt ist.</translation></message></context>
<context><name>QKeySequenceEdit</name><message><source>Press shortcut</source><translation>Tastenkürzel drücken</translation></message></context>
<context><name>QuickCapture</name><message><source>Ctrl+Enter remembers · Esc leaves · #word is a tag</source><translation>Strg+Enter behält es · Esc schließt · #Wort ist ein Schlagwort</translation></message></context>
<context><name>QuickCapture</name><message><source>Quick capture</source><translation>Schnell notieren</translation></message></context>
<context><name>QuickCapture</name><message><source>Remember</source><translation>Behalten</translation></message></context>
<context><name>QuickCapture</name><message><source>Remembered {key}</source><translation>{key} behalten</translation></message></context>
<context><name>QuickCapture</name><message><source>What should be remembered about you?</source><translation>Was soll über dich behalten werden?</translation></message></context>
<context><name>QuickCapture</name><message><source>What to remember</source><translation>Was zu behalten ist</translation></message></context>
<context><name>QuickCapture</name><message><source>Write it as you would say it; words with # become labels.</source><translation>Schreib es, wie du es sagen würdest; Worte mit # werden Schlagwörter.</translation></message></context>
<context><name>RadarPage</name><message><source>Back to the question</source><translation>Zurück zur Frage</translation></message></context>
<context><name>RadarPage</name><message><source>Looked into {n} of {total} files…</source><translation>In {n} von {total} Dateien geschaut…</translation></message></context>
<context><name>RadarPage</name><message><source>Looking into what agents and you keep on this machine…</source><translation>Es wird nachgesehen, was Agenten und du auf diesem Rechner aufbewahren…</translation></message></context>
<context><name>RadarPage</name><message><source>Looking through files</source><translation>Dateien werden durchsucht</translation></message></context>
<context><name>RadarPage</name><message><source>Nothing is erased before you say so there.</source><translation>Nichts wird gelöscht, bevor du es dort sagst.</translation></message></context>
<context><name>RadarPage</name><message><source>Stop looking</source><translation>Suche beenden</translation></message></context>
<context><name>RadarPage</name><message><source>What Keepsake wrote goes with the erase. Tick files of others that it should be taken out of; the space bar ticks.</source><translation>Was Keepsake geschrieben hat, verschwindet mit dem Löschen. Hake fremde Dateien an, aus denen es entfernt werden soll; die Leertaste setzt den Haken.</translation></message></context>
<context><name>RadarPage</name><message><source>What was not looked into is named.</source><translation>Was nicht angesehen wurde, wird genannt.</translation></message></context>
<context><name>RadarPage</name><message><source>Where its words still are</source><translation>Wo die Worte noch stehen</translation></message></context>
<context><name>RadarPage</name><message><source>Who was told it, and the files that say it</source><translation>Wer es erfahren hat, und die Dateien, in denen es steht</translation></message></context>
<context><name>RadarPage</name><message><source>{files} ({size}). The same said in other words is not found.</source><translation>{files} ({size}). Dasselbe in anderen Worten wird nicht gefunden.</translation></message></context>
<context><name>RadarStep</name><message><source>Look where else it is…</source><translation>Nachsehen, wo es noch steht…</translation></message></context>
<context><name>RadarStep</name><message><source>Looking for copies</source><translation>Kopien werden gesucht</translation></message></context>
<context><name>RadarStep</name><message><source>No other file that was looked into says it.</source><translation>In keiner anderen Datei, die angesehen wurde, steht es.</translation></message></context>
<context><name>RadarStep</name><message><source>Some places were not looked into.</source><translation>Manches wurde nicht angesehen.</translation></message></context>
<context><name>RadarStep</name><message><source>Which agents were told it, and which files on this machine say its words.</source><translation>Welche Agenten es erfahren haben und in welchen Dateien dieses Rechners die Worte stehen.</translation></message></context>
<context><name>RescueDialog</name><message><source>Its latest backup can take its place. The file that cannot be opened is kept beside the backups.</source><translation>Seine letzte Sicherung kann an seine Stelle treten. Die Datei, die sich nicht öffnen lässt, bleibt bei den Sicherungen liegen.</translation></message></context>
<context><name>RescueDialog</name><message><source>Quit</source><translation>Beenden</translation></message></context>
<context><name>RescueDialog</name><message><source>Restore the backup of {when}</source><translation>Sicherung vom {when} zurückholen</translation></message></context>
<context><name>RescueDialog</name><message><source>This vault cannot be opened</source><translation>Dieser Tresor lässt sich nicht öffnen</translation></message></context>
<context><name>RetentionField</name><message><source>Days per category or scope, on top of the lifetimes above. Core and workspace memory stay.</source><translation>Tage je Kategorie oder Bereich, zusätzlich zu den Lebensdauern oben. Kern und Arbeitsbereiche bleiben.</translation></message></context>
<context><name>ReviewActions</name><message><source>Approve all the same</source><translation>Trotzdem genehmigen</translation></message></context>
<context><name>ReviewActions</name><message><source>Approve as {key}</source><translation>Als {key} genehmigen</translation></message></context>
<context><name>ReviewActions</name><message><source>Approved {key}</source><translation>{key} genehmigt</translation></message></context>
<context><name>ReviewActions</name><message><source>It was changed since this was proposed.</source><translation>Es wurde seit dem Vorschlag geändert.</translation></message></context>
<context><name>ReviewActions</name><message><source>Rejected {what}</source><translation>{what} abgelehnt</translation></message></context>
<context><name>ReviewActions</name><message><source>The key {key} is taken in that scope.</source><translation>Der Schlüssel {key} ist in diesem Bereich vergeben.</translation></message></context>
<context><name>ReviewActions</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>ReviewActions</name><message><source>{agent} writes without asking from now on.</source><translation>{agent} schreibt ab jetzt, ohne zu fragen.</translation></message></context>
<context><name>ReviewInbox</name><message><source>Nothing to review</source><translation>Nichts zu prüfen</translation></message></context>
<context><name>ReviewInbox</name><message><source>Proposals</source><translation>Vorschläge</translation></message></context>
<context><name>ReviewInbox</name><message><source>Rejected</source><translation>Abgelehnt</translation></message></context>
<context><name>ReviewInbox</name><message><source>Rejected: {n}</source><translation>Abgelehnt: {n}</translation></message></context>
<context><name>ReviewInbox</name><message><source>Review</source><translation>Prüfen</translation></message></context>
<context><name>ReviewInbox</name><message><source>What an agent would like to write waits here for your yes or no, if its settings say that it proposes.</source><translation>Was ein Agent gern schreiben würde, wartet hier auf dein Ja oder Nein, wenn er laut seinen Einstellungen nur vorschlägt.</translation></message></context>
<context><name>SaveSearchDialog</name><message><source>It stands in the sidebar, and is looked up anew each time.</source><translation>Sie steht in der Seitenleiste und wird jedes Mal neu ausgeführt.</translation></message></context>
<context><name>SaveSearchDialog</name><message><source>Name</source><translation>Name</translation></message></context>
<context><name>SaveSearchDialog</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>SaveSearchDialog</name><message><source>Save this search</source><translation>Diese Suche speichern</translation></message></context>
<context><name>SaveSearchDialog</name><message><source>What it is called in the sidebar and in Ctrl+K.</source><translation>Wie sie in der Seitenleiste und unter Strg+K heißt.</translation></message></context>
<context><name>SaveWords</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>SaveWords</name><message><source>Save as a memory</source><translation>Als Erinnerung speichern</translation></message></context>
<context><name>SaveWords</name><message><source>The memory remembers where it was said.</source><translation>Die Erinnerung merkt sich, wo es gesagt wurde.</translation></message></context>
<context><name>SaveWords</name><message><source>The words that become a memory; change them as you like.</source><translation>Die Worte, die eine Erinnerung werden; ändere sie, wie du magst.</translation></message></context>
<context><name>SaveWords</name><message><source>What to remember</source><translation>Was zu behalten ist</translation></message></context>
<context><name>SearchBar</name><message><source>+ Filter</source><translation>+ Filter</translation></message></context>
<context><name>SearchBar</name><message><source>Add a filter</source><translation>Filter hinzufügen</translation></message></context>
<context><name>SearchBar</name><message><source>Leaves only memories of one scope, kind, label and so on.</source><translation>Lässt nur Erinnerungen eines Bereichs, einer Art, eines Schlagworts und so weiter übrig.</translation></message></context>
<context><name>SearchBar</name><message><source>Remove the filter {term}</source><translation>Filter {term} entfernen</translation></message></context>
<context><name>SearchBar</name><message><source>before {day}</source><translation>vor dem {day}</translation></message></context>
<context><name>SearchBar</name><message><source>by {who}</source><translation>von {who}</translation></message></context>
<context><name>SearchBar</name><message><source>from {day}</source><translation>ab {day}</translation></message></context>
<context><name>SearchField</name><message><source>Finds by words at once and by meaning a moment later; tag: or kind: narrow it.</source><translation>Findet sofort nach Worten und gleich darauf nach Bedeutung; tag: oder kind: grenzen ein.</translation></message></context>
<context><name>SearchField</name><message><source>Search memories</source><translation>Erinnerungen suchen</translation></message></context>
<context><name>Selection</name><message><source>Choose memories in the list first.</source><translation>Zuerst Erinnerungen in der Liste auswählen.</translation></message></context>
<context><name>SelectionDialog</name><message><source>Change {what}</source><translation>{what} ändern</translation></message></context>
<context><name>SelectionDialog</name><message><source>Close</source><translation>Schließen</translation></message></context>
<context><name>SelectionPanel</name><message><source>Export…</source><translation>Exportieren…</translation></message></context>
<context><name>SelectionPanel</name><message><source>Forget</source><translation>Vergessen</translation></message></context>
<context><name>SelectionPanel</name><message><source>Make core</source><translation>Zum Kern machen</translation></message></context>
<context><name>SelectionPanel</name><message><source>Merge…</source><translation>Zusammenführen…</translation></message></context>
<context><name>SelectionPanel</name><message><source>The selected memories</source><translation>Die ausgewählten Erinnerungen</translation></message></context>
<context><name>SelectionPanel</name><message><source>they differ</source><translation>verschieden</translation></message></context>
<context><name>SentPrompt</name><message><source>For the latest conversation, to the letter:</source><translation>Für das letzte Gespräch, Zeichen für Zeichen:</translation></message></context>
<context><name>SentPrompt</name><message><source>Nothing is sent: the built-in writer works on this machine.</source><translation>Nichts wird gesendet: Der eingebaute Schreiber arbeitet auf diesem Rechner.</translation></message></context>
<context><name>SentPrompt</name><message><source>Show what is sent</source><translation>Zeigen, was gesendet wird</translation></message></context>
<context><name>SentPrompt</name><message><source>The exact prompt</source><translation>Der genaue Prompt</translation></message></context>
<context><name>SentPrompt</name><message><source>There is no conversation yet to show it with.</source><translation>Es gibt noch kein Gespräch, an dem man es zeigen könnte.</translation></message></context>
<context><name>SentPrompt</name><message><source>What the writing model would be sent, word for word.</source><translation>Was das schreibende Modell geschickt bekäme, wörtlich.</translation></message></context>
<context><name>Serving</name><message><source>○ API off: {why}</source><translation>○ API aus: {why}</translation></message></context>
<context><name>Serving</name><message><source>● API on {place}</source><translation>● API auf {place}</translation></message></context>
<context><name>SettingField</name><message><source>Reset</source><translation>Zurücksetzen</translation></message></context>
<context><name>SettingField</name><message><source>Reset {name}</source><translation>{name} zurücksetzen</translation></message></context>
<context><name>SettingsDialog</name><message><source>Sections</source><translation>Abschnitte</translation></message></context>
<context><name>SettingsDialog</name><message><source>Settings</source><translation>Einstellungen</translation></message></context>
<context><name>SettingsDialog</name><message><source>The groups of settings.</source><translation>Die Gruppen der Einstellungen.</translation></message></context>
<context><name>ShortcutSheet</name><message><source>Forget the selected memories (in the list)</source><translation>Ausgewählte Erinnerungen vergessen (in der Liste)</translation></message></context>
<context><name>ShortcutSheet</name><message><source>From the search to the list</source><translation>Von der Suche zur Liste</translation></message></context>
<context><name>ShortcutSheet</name><message><source>In one place</source><translation>An einer Stelle</translation></message></context>
<context><name>ShortcutSheet</name><message><source>Keyboard shortcuts</source><translation>Tastenkürzel</translation></message></context>
<context><name>ShortcutSheet</name><message><source>Set importance (on its dots)</source><translation>Wichtigkeit setzen (auf den Punkten)</translation></message></context>
<context><name>ShortcutSheet</name><message><source>Shortcuts</source><translation>Tastenkürzel</translation></message></context>
<context><name>ShortcutSheet</name><message><source>Take the last filter back (in an empty search)</source><translation>Letzten Filter zurücknehmen (in leerer Suche)</translation></message></context>
<context><name>Sidebar</name><message><source>Scopes and views</source><translation>Bereiche und Ansichten</translation></message></context>
<context><name>SidebarModel</name><message><source>About me</source><translation>Über mich</translation></message></context>
<context><name>SidebarModel</name><message><source>Activity</source><translation>Aktivität</translation></message></context>
<context><name>SidebarModel</name><message><source>Agents</source><translation>Agenten</translation></message></context>
<context><name>SidebarModel</name><message><source>All memories</source><translation>Alle Erinnerungen</translation></message></context>
<context><name>SidebarModel</name><message><source>Blocks</source><translation>Blöcke</translation></message></context>
<context><name>SidebarModel</name><message><source>Conflicts</source><translation>Konflikte</translation></message></context>
<context><name>SidebarModel</name><message><source>Conversations</source><translation>Gespräche</translation></message></context>
<context><name>SidebarModel</name><message><source>Drafts</source><translation>Entwürfe</translation></message></context>
<context><name>SidebarModel</name><message><source>Duplicates</source><translation>Doppelte</translation></message></context>
<context><name>SidebarModel</name><message><source>Expiring soon</source><translation>Läuft bald ab</translation></message></context>
<context><name>SidebarModel</name><message><source>Links</source><translation>Bezüge</translation></message></context>
<context><name>SidebarModel</name><message><source>Map</source><translation>Karte</translation></message></context>
<context><name>SidebarModel</name><message><source>Review</source><translation>Prüfen</translation></message></context>
<context><name>SidebarModel</name><message><source>Searches</source><translation>Suchen</translation></message></context>
<context><name>SidebarModel</name><message><source>Still true?</source><translation>Noch wahr?</translation></message></context>
<context><name>SidebarModel</name><message><source>Timeline</source><translation>Zeitstrahl</translation></message></context>
<context><name>SidebarModel</name><message><source>To look at</source><translation>Anzusehen</translation></message></context>
<context><name>SidebarModel</name><message><source>Trash</source><translation>Papierkorb</translation></message></context>
<context><name>SidebarModel</name><message><source>Views</source><translation>Ansichten</translation></message></context>
<context><name>SidebarModel</name><message><source>Workspaces</source><translation>Arbeitsbereiche</translation></message></context>
<context><name>SinceDialog</name><message><source>A moment of your own clock; type it, or open the calendar.</source><translation>Ein Zeitpunkt nach deiner Uhr; tippe ihn, oder öffne den Kalender.</translation></message></context>
<context><name>SinceDialog</name><message><source>Day and time</source><translation>Tag und Uhrzeit</translation></message></context>
<context><name>SinceDialog</name><message><source>From this moment agents are told the new one. The old one stays as it was.</source><translation>Von da an wird Agenten das Neue gesagt. Das Alte bleibt, wie es war.</translation></message></context>
<context><name>SinceDialog</name><message><source>The new one is true from</source><translation>Das Neue ist wahr ab</translation></message></context>
<context><name>SinceDialog</name><message><source>True from then</source><translation>Wahr von da an</translation></message></context>
<context><name>SingleInstance</name><message><source>Starting Keepsake again will open a second window over the same memories: {why}. Set KEEPSAKE_RUNTIME to a folder of your own.</source><translation>Ein weiterer Start von Keepsake öffnet ein zweites Fenster mit denselben Erinnerungen: {why}. Setze KEEPSAKE_RUNTIME auf einen eigenen Ordner.</translation></message></context>
<context><name>Sparkline</name><message><source>Its writes per day</source><translation>Was er je Tag geschrieben hat</translation></message></context>
<context><name>StartAtLogin</name><message><source>Removed from {path}</source><translation>Entfernt aus {path}</translation></message></context>
<context><name>StartAtLogin</name><message><source>Serves agents in the background from when you log in.</source><translation>Bedient Agenten im Hintergrund, sobald du dich anmeldest.</translation></message></context>
<context><name>StartAtLogin</name><message><source>Start at login</source><translation>Bei der Anmeldung starten</translation></message></context>
<context><name>StartAtLogin</name><message><source>Written to {path}</source><translation>Geschrieben nach {path}</translation></message></context>
<context><name>StatusBar</name><message><source>Cancel</source><translation>Abbrechen</translation></message></context>
<context><name>StatusBar</name><message><source>Cancel the work under way</source><translation>Laufende Arbeit abbrechen</translation></message></context>
<context><name>StatusBar</name><message><source>Progress</source><translation>Fortschritt</translation></message></context>
<context><name>StatusBar</name><message><source>Stopping…</source><translation>Wird angehalten…</translation></message></context>
<context><name>StatusFilter</name><message><source>all</source><translation>alle</translation></message></context>
<context><name>StillTrueView</name><message><source>A few memories a day are asked about here: what grows old and is told often.</source><translation>Hier wird am Tag nach einigen Erinnerungen gefragt: nach dem, was altert und oft gesagt wird.</translation></message></context>
<context><name>StillTrueView</name><message><source>Confirmed {name}; asked again after {day}</source><translation>{name} bestätigt; wieder gefragt nach dem {day}</translation></message></context>
<context><name>StillTrueView</name><message><source>Confirmed {name}; it does not grow old</source><translation>{name} bestätigt; das altert nicht</translation></message></context>
<context><name>StillTrueView</name><message><source>Core memories that you confirmed and that need no new look yet.</source><translation>Kernerinnerungen, die du bestätigt hast und die noch keinen neuen Blick brauchen.</translation></message></context>
<context><name>StillTrueView</name><message><source>Forgot {name}</source><translation>{name} vergessen</translation></message></context>
<context><name>StillTrueView</name><message><source>How many are left to ask about today.</source><translation>Nach wie vielen heute noch gefragt wird.</translation></message></context>
<context><name>StillTrueView</name><message><source>It was changed meanwhile; look again.</source><translation>Sie wurde inzwischen geändert; sieh noch einmal hin.</translation></message></context>
<context><name>StillTrueView</name><message><source>Nothing to confirm</source><translation>Nichts zu bestätigen</translation></message></context>
<context><name>StillTrueView</name><message><source>Still true?</source><translation>Noch wahr?</translation></message></context>
<context><name>StillTrueView</name><message><source>That is all for today</source><translation>Das war alles für heute</translation></message></context>
<context><name>StillTrueView</name><message><source>{confirmed} of {core} core memories confirmed</source><translation>{confirmed} von {core} Kernerinnerungen bestätigt</translation></message></context>
<context><name>StillTrueView</name><message><source>{name} was true until {day}</source><translation>{name} war wahr bis {day}</translation></message></context>
<context><name>TagField</name><message><source>Add a tag</source><translation>Schlagwort hinzufügen</translation></message></context>
<context><name>TagField</name><message><source>Remove the tag {tag}</source><translation>Schlagwort {tag} entfernen</translation></message></context>
<context><name>TagField</name><message><source>Tags</source><translation>Schlagwörter</translation></message></context>
<context><name>TagField</name><message><source>Type a word and press Enter; click a label to take it away.</source><translation>Schreib ein Wort und drücke die Eingabetaste; ein Klick auf ein Schlagwort nimmt es weg.</translation></message></context>
<context><name>TimelineView</name><message><source>Click a bar to see what was written that day.</source><translation>Klicke einen Balken an, um zu sehen, was an dem Tag geschrieben wurde.</translation></message></context>
<context><name>TimelineView</name><message><source>How far back the picture goes.</source><translation>Wie weit das Bild zurückreicht.</translation></message></context>
<context><name>TimelineView</name><message><source>How many days</source><translation>Wie viele Tage</translation></message></context>
<context><name>TimelineView</name><message><source>Nothing was written in these days. Each day has a bar here once you or an agent write; choose a longer time above to look further back.</source><translation>In diesen Tagen wurde nichts geschrieben. Sobald du oder ein Agent schreibt, hat jeder Tag hier einen Balken; wähle oben eine längere Zeit, um weiter zurückzusehen.</translation></message></context>
<context><name>TimelineView</name><message><source>Timeline</source><translation>Zeitstrahl</translation></message></context>
<context><name>TimelineView</name><message><source>dddd, d MMMM</source><translation>dddd, d. MMMM</translation></message></context>
<context><name>TimelineView</name><message><source>nothing</source><translation>nichts</translation></message></context>
<context><name>Toast</name><message><source>Act on message</source><translation>Auf die Meldung reagieren</translation></message></context>
<context><name>Toast</name><message><source>Act otherwise on message</source><translation>Anders auf die Meldung reagieren</translation></message></context>
<context><name>Toast</name><message><source>Dismiss message</source><translation>Meldung schließen</translation></message></context>
<context><name>Toast</name><message><source>Message</source><translation>Meldung</translation></message></context>
<context><name>TokenBox</name><message><source>Copy</source><translation>Kopieren</translation></message></context>
<context><name>TokenBox</name><message><source>Copy the token</source><translation>Token kopieren</translation></message></context>
<context><name>TokenBox</name><message><source>Its token. It is shown this once and not kept.</source><translation>Sein Token. Es wird nur dieses eine Mal gezeigt und nicht aufbewahrt.</translation></message></context>
<context><name>TokenBox</name><message><source>The secret this agent shows; it is shown once, so copy it now.</source><translation>Das Geheimnis, mit dem sich dieser Agent ausweist; es wird nur einmal gezeigt, kopiere es jetzt.</translation></message></context>
<context><name>TokenBox</name><message><source>Token</source><translation>Token</translation></message></context>
<context><name>Toolbar</name><message><source>+ New memory</source><translation>+ Neue Erinnerung</translation></message></context>
<context><name>Toolbar</name><message><source>Begins a new memory (Ctrl+N).</source><translation>Beginnt eine neue Erinnerung (Strg+N).</translation></message></context>
<context><name>Toolbar</name><message><source>Best match</source><translation>Beste zuerst</translation></message></context>
<context><name>Toolbar</name><message><source>By key</source><translation>Nach Schlüssel</translation></message></context>
<context><name>Toolbar</name><message><source>Commands</source><translation>Befehle</translation></message></context>
<context><name>Toolbar</name><message><source>Everything the window can do.</source><translation>Alles, was das Fenster kann.</translation></message></context>
<context><name>Toolbar</name><message><source>How the list is sorted.</source><translation>Wie die Liste sortiert ist.</translation></message></context>
<context><name>Toolbar</name><message><source>Largest</source><translation>Größte</translation></message></context>
<context><name>Toolbar</name><message><source>Memories, agents, settings and commands by a few letters.</source><translation>Erinnerungen, Agenten, Einstellungen und Befehle mit wenigen Buchstaben.</translation></message></context>
<context><name>Toolbar</name><message><source>Menu</source><translation>Menü</translation></message></context>
<context><name>Toolbar</name><message><source>New memory</source><translation>Neue Erinnerung</translation></message></context>
<context><name>Toolbar</name><message><source>Newest</source><translation>Neueste</translation></message></context>
<context><name>Toolbar</name><message><source>Newly created</source><translation>Neu angelegt</translation></message></context>
<context><name>Toolbar</name><message><source>Oldest</source><translation>Älteste</translation></message></context>
<context><name>Toolbar</name><message><source>Order of the list</source><translation>Reihenfolge der Liste</translation></message></context>
<context><name>Toolbar</name><message><source>What agents are told</source><translation>Was Agenten erfahren</translation></message></context>
<context><name>Toolbar</name><message><source>What agents are told (Ctrl+J)</source><translation>Was Agenten erfahren (Strg+J)</translation></message></context>
<context><name>Transfer</name><message><source>Export into a folder</source><translation>In einen Ordner exportieren</translation></message></context>
<context><name>Transfer</name><message><source>Exported {what} into {place}</source><translation>{what} nach {place} exportiert</translation></message></context>
<context><name>Transfer</name><message><source>Exporting…</source><translation>Wird exportiert…</translation></message></context>
<context><name>Transfer</name><message><source>Loading the samples…</source><translation>Beispiele werden geladen…</translation></message></context>
<context><name>Transfer</name><message><source>Remove the made-up memories and their agents? What you rewrote, and agents that you connected, stay. It can be undone.</source><translation>Die erfundenen Erinnerungen und ihre Agenten entfernen? Was du umgeschrieben hast und Agenten, die du verbunden hast, bleiben. Es lässt sich rückgängig machen.</translation></message></context>
<context><name>Transfer</name><message><source>Remove the samples</source><translation>Beispiele entfernen</translation></message></context>
<context><name>Transfer</name><message><source>Remove them</source><translation>Entfernen</translation></message></context>
<context><name>Transfer</name><message><source>Removing the samples…</source><translation>Beispiele werden entfernt…</translation></message></context>
<context><name>Transfer</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>Transfer</name><message><source>{what} of a made-up person are here to look around in.</source><translation>{what} einer erfundenen Person sind da, zum Umsehen.</translation></message></context>
<context><name>Transfer</name><message><source>{what} removed</source><translation>{what} entfernt</translation></message></context>
<context><name>Transfer</name><message><source>{what} that you rewrote stay</source><translation>{what}, die du umgeschrieben hast, bleiben</translation></message></context>
<context><name>Tray</name><message><source>Keepsake: {n} not looked at yet</source><translation>Keepsake: {n} noch nicht angesehen</translation></message></context>
<context><name>Tray</name><message><source>Open Keepsake</source><translation>Keepsake öffnen</translation></message></context>
<context><name>Tray</name><message><source>Quit</source><translation>Beenden</translation></message></context>
<context><name>Tray</name><message><source>Remember something…</source><translation>Etwas behalten…</translation></message></context>
<context><name>TruthCardPage</name><message><source>Another memory says otherwise</source><translation>Eine andere Erinnerung sagt anderes</translation></message></context>
<context><name>TruthCardPage</name><message><source>Another one instead; it is asked about another time.</source><translation>Eine andere stattdessen; nach dieser wird ein andermal gefragt.</translation></message></context>
<context><name>TruthCardPage</name><message><source>Asks what then: forget it, until when it was true, or edit.</source><translation>Fragt, was dann: vergessen, bis wann es wahr war, oder bearbeiten.</translation></message></context>
<context><name>TruthCardPage</name><message><source>Back</source><translation>Zurück</translation></message></context>
<context><name>TruthCardPage</name><message><source>Cancel</source><translation>Abbrechen</translation></message></context>
<context><name>TruthCardPage</name><message><source>Ctrl+Enter keeps it, Escape leaves it as it was.</source><translation>Strg+Enter behält es, Escape lässt es, wie es war.</translation></message></context>
<context><name>TruthCardPage</name><message><source>Edit</source><translation>Bearbeiten</translation></message></context>
<context><name>TruthCardPage</name><message><source>Forget it</source><translation>Vergessen</translation></message></context>
<context><name>TruthCardPage</name><message><source>It goes to the trash.</source><translation>Sie kommt in den Papierkorb.</translation></message></context>
<context><name>TruthCardPage</name><message><source>It stays, is found by questions about then, not told as now.</source><translation>Sie bleibt und wird bei Fragen nach damals gefunden, aber nicht als jetzt gesagt.</translation></message></context>
<context><name>TruthCardPage</name><message><source>It was true until then</source><translation>War bis dahin wahr</translation></message></context>
<context><name>TruthCardPage</name><message><source>Keep and confirm</source><translation>Behalten und bestätigen</translation></message></context>
<context><name>TruthCardPage</name><message><source>Not now</source><translation>Nicht jetzt</translation></message></context>
<context><name>TruthCardPage</name><message><source>No…</source><translation>Nein…</translation></message></context>
<context><name>TruthCardPage</name><message><source>Open</source><translation>Öffnen</translation></message></context>
<context><name>TruthCardPage</name><message><source>Open {name}</source><translation>{name} öffnen</translation></message></context>
<context><name>TruthCardPage</name><message><source>Put it right; what you write is confirmed.</source><translation>Berichtige sie; was du schreibst, gilt als bestätigt.</translation></message></context>
<context><name>TruthCardPage</name><message><source>Still true</source><translation>Noch wahr</translation></message></context>
<context><name>TruthCardPage</name><message><source>The memory as agents are told it.</source><translation>Die Erinnerung, wie sie Agenten gesagt wird.</translation></message></context>
<context><name>TruthCardPage</name><message><source>The memory in the editor, with all its fields.</source><translation>Die Erinnerung im Editor, mit allen Feldern.</translation></message></context>
<context><name>TruthCardPage</name><message><source>The memory that says otherwise, in the editor.</source><translation>Die Erinnerung, die anderes sagt, im Editor.</translation></message></context>
<context><name>TruthCardPage</name><message><source>The moment from which it no longer held.</source><translation>Der Zeitpunkt, ab dem es nicht mehr galt.</translation></message></context>
<context><name>TruthCardPage</name><message><source>The other one says: {text}</source><translation>Die andere sagt: {text}</translation></message></context>
<context><name>TruthCardPage</name><message><source>The text stays as it was.</source><translation>Der Text bleibt, wie er war.</translation></message></context>
<context><name>TruthCardPage</name><message><source>To the question.</source><translation>Zur Frage.</translation></message></context>
<context><name>TruthCardPage</name><message><source>True until</source><translation>Wahr bis</translation></message></context>
<context><name>TruthCardPage</name><message><source>What is true</source><translation>Was wahr ist</translation></message></context>
<context><name>TruthCardPage</name><message><source>What it says</source><translation>Was sie sagt</translation></message></context>
<context><name>TruthCardPage</name><message><source>Writes this text and confirms it.</source><translation>Schreibt diesen Text und bestätigt ihn.</translation></message></context>
<context><name>TruthCardPage</name><message><source>You confirm it; it comes back after a longer time.</source><translation>Du bestätigst sie; sie kommt nach längerer Zeit wieder.</translation></message></context>
<context><name>TruthCardPage</name><message><source>You last confirmed it on {day}</source><translation>Zuletzt von dir bestätigt am {day}</translation></message></context>
<context><name>TruthCardPage</name><message><source>You never confirmed it</source><translation>Von dir noch nie bestätigt</translation></message></context>
<context><name>TruthFields</name><message><source>Says when it holds, and which agents are never told it.</source><translation>Sagt, wann es gilt und welchen Agenten es nie gesagt wird.</translation></message></context>
<context><name>TruthFields</name><message><source>When is it true, and who is never told?</source><translation>Wann ist es wahr, und wem wird es nie gesagt?</translation></message></context>
<context><name>TruthGrid</name><message><source>Add who is never told it</source><translation>Hinzufügen, wem es nie gesagt wird</translation></message></context>
<context><name>TruthGrid</name><message><source>An agent, cloud (agents with a cloud model), or * for all of them.</source><translation>Ein Agent, cloud (Agenten mit einem Cloud-Modell) oder * für alle.</translation></message></context>
<context><name>TruthGrid</name><message><source>There is no agent {names} yet.</source><translation>Es gibt noch keinen Agenten {names}.</translation></message></context>
<context><name>TruthGrid</name><message><source>always</source><translation>immer</translation></message></context>
<context><name>TruthGrid</name><message><source>in a month</source><translation>in einem Monat</translation></message></context>
<context><name>TruthGrid</name><message><source>in a year</source><translation>in einem Jahr</translation></message></context>
<context><name>TruthGrid</name><message><source>in half a year</source><translation>in einem halben Jahr</translation></message></context>
<context><name>TruthGrid</name><message><source>nobody</source><translation>niemandem</translation></message></context>
<context><name>TruthGrid</name><message><source>now</source><translation>jetzt</translation></message></context>
<context><name>TruthGrid</name><message><source>still true</source><translation>noch wahr</translation></message></context>
<context><name>TruthGrid</name><message><source>when it is due</source><translation>wenn es dran ist</translation></message></context>
<context><name>TurnsView</name><message><source>Every turn; select words to save them as a memory.</source><translation>Jeder Beitrag; markiere Worte, um sie als Erinnerung zu speichern.</translation></message></context>
<context><name>TurnsView</name><message><source>System</source><translation>System</translation></message></context>
<context><name>TurnsView</name><message><source>Tool</source><translation>Werkzeug</translation></message></context>
<context><name>TurnsView</name><message><source>What was said</source><translation>Was gesagt wurde</translation></message></context>
<context><name>TurnsView</name><message><source>You</source><translation>Du</translation></message></context>
<context><name>Undoing</name><message><source>Bring it back as {key}</source><translation>Als {key} zurückholen</translation></message></context>
<context><name>Undoing</name><message><source>Done again: {what}</source><translation>Wiederholt: {what}</translation></message></context>
<context><name>Undoing</name><message><source>Redo</source><translation>Wiederholen</translation></message></context>
<context><name>Undoing</name><message><source>The key {key} is taken now.</source><translation>Der Schlüssel {key} ist inzwischen vergeben.</translation></message></context>
<context><name>Undoing</name><message><source>There is nothing to undo: nothing was done in that time.</source><translation>Es gibt nichts rückgängig zu machen: In dieser Zeit wurde nichts getan.</translation></message></context>
<context><name>Undoing</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>Undoing</name><message><source>Undone: {what}</source><translation>Rückgängig: {what}</translation></message></context>
<context><name>Undoing</name><message><source>{n} not: {why}</source><translation>{n} nicht: {why}</translation></message></context>
<context><name>Unsaved</name><message><source>Open it</source><translation>Öffnen</translation></message></context>
<context><name>Unsaved</name><message><source>There is a memory you began and did not save.</source><translation>Es gibt eine angefangene, nicht gespeicherte Erinnerung.</translation></message></context>
<context><name>UpkeepPreview</name><message><source>Tidy up now</source><translation>Jetzt aufräumen</translation></message></context>
<context><name>UpkeepPreview</name><message><source>What would go</source><translation>Was ginge</translation></message></context>
<context><name>UpkeepPreview</name><message><source>What would go now?</source><translation>Was ginge jetzt?</translation></message></context>
<context><name>UpkeepPreview</name><message><source>{what} went to the trash at {when}.</source><translation>{what} kam am {when} in den Papierkorb.</translation></message></context>
<context><name>VaultPlace</name><message><source>Back up now</source><translation>Jetzt sichern</translation></message></context>
<context><name>VaultPlace</name><message><source>Backed up to {path}</source><translation>Gesichert nach {path}</translation></message></context>
<context><name>VaultPlace</name><message><source>Backing up…</source><translation>Wird gesichert…</translation></message></context>
<context><name>VaultPlace</name><message><source>Backups…</source><translation>Sicherungen…</translation></message></context>
<context><name>VaultPlace</name><message><source>Encrypt</source><translation>Verschlüsseln</translation></message></context>
<context><name>VaultPlace</name><message><source>Encrypted, its backups too.</source><translation>Verschlüsselt, die Sicherungen auch.</translation></message></context>
<context><name>VaultPlace</name><message><source>Encrypt…</source><translation>Verschlüsseln…</translation></message></context>
<context><name>VaultPlace</name><message><source>Not encrypted: whoever gets at the file can read it.</source><translation>Nicht verschlüsselt: Wer an die Datei kommt, kann sie lesen.</translation></message></context>
<context><name>VaultPlace</name><message><source>Open another vault…</source><translation>Anderen Tresor öffnen…</translation></message></context>
<context><name>VaultPlace</name><message><source>Show in its folder</source><translation>Im Ordner zeigen</translation></message></context>
<context><name>VaultPlace</name><message><source>The window closes, encrypts the vault and its backups, and opens again. End other programs that use this vault first.</source><translation>Das Fenster schließt sich, verschlüsselt den Tresor und seine Sicherungen und öffnet sich wieder. Beende vorher andere Programme, die diesen Tresor benutzen.</translation></message></context>
<context><name>WhatIsThis</name><message><source>What is this?</source><translation>Was ist das?</translation></message></context>
<context><name>WhatIsThis</name><message><source>What is this? {words}</source><translation>Was ist das? {words}</translation></message></context>
<context><name>WhenDialog</name><message><source>A moment of your own clock; type it, or open the calendar.</source><translation>Ein Zeitpunkt nach deiner Uhr; tippe ihn, oder öffne den Kalender.</translation></message></context>
<context><name>WhenDialog</name><message><source>Day and time</source><translation>Tag und Uhrzeit</translation></message></context>
<context><name>WhenDialog</name><message><source>Set</source><translation>Festlegen</translation></message></context>
<context><name>WhenField</name><message><source>on a day…</source><translation>an einem Tag…</translation></message></context>
<context><name>WhyPanel</name><message><source>Agents and this memory</source><translation>Agenten und diese Erinnerung</translation></message></context>
<context><name>WhyPanel</name><message><source>Nothing to explain yet</source><translation>Noch nichts zu erklären</translation></message></context>
<context><name>WhyPanel</name><message><source>Save the memory, or add an agent.</source><translation>Speichere die Erinnerung oder füge einen Agenten hinzu.</translation></message></context>
<context><name>WhyPanel</name><message><source>does not see it</source><translation>sieht es nicht</translation></message></context>
<context><name>WhyPanel</name><message><source>only when recalled</source><translation>nur auf Abruf</translation></message></context>
<context><name>WhyPanel</name><message><source>told at the start</source><translation>erfährt es am Anfang</translation></message></context>
<context><name>WhyPanel</name><message><source>{agent} as the pane on the right tries it: {size}.</source><translation>{agent}, wie es rechts ausprobiert wird: {size}.</translation></message></context>
<context><name>Wording</name><message><source>About me</source><translation>Über mich</translation></message></context>
<context><name>Wording</name><message><source>Today</source><translation>Heute</translation></message></context>
<context><name>Wording</name><message><source>Yesterday</source><translation>Gestern</translation></message></context>
<context><name>Wording</name><message><source>agent</source><translation>Agent</translation></message></context>
<context><name>Wording</name><message><source>backed up just now</source><translation>soeben gesichert</translation></message></context>
<context><name>Wording</name><message><source>backed up {day}</source><translation>gesichert am {day}</translation></message></context>
<context><name>Wording</name><message><source>backed up {n} h ago</source><translation>vor {n} h gesichert</translation></message></context>
<context><name>Wording</name><message><source>backed up {n} min ago</source><translation>vor {n} min gesichert</translation></message></context>
<context><name>Wording</name><message><source>conversation</source><translation>Gespräch</translation></message></context>
<context><name>Wording</name><message><source>d MMM</source><translation>d. MMM</translation></message></context>
<context><name>Wording</name><message><source>d MMM yyyy</source><translation>d. MMM yyyy</translation></message></context>
<context><name>Wording</name><message><source>d MMMM yyyy</source><translation>d. MMMM yyyy</translation></message></context>
<context><name>Wording</name><message><source>expired</source><translation>abgelaufen</translation></message></context>
<context><name>Wording</name><message><source>folder {name}</source><translation>Ordner {name}</translation></message></context>
<context><name>Wording</name><message><source>goes today</source><translation>endet heute</translation></message></context>
<context><name>Wording</name><message><source>import of {name}</source><translation>Import von {name}</translation></message></context>
<context><name>Wording</name><message><source>now</source><translation>jetzt</translation></message></context>
<context><name>Wording</name><message><source>workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>Wording</name><message><source>you</source><translation>dir</translation></message></context>
<context><name>Wording</name><message><source>you</source><comment>doer</comment><translation>du</translation></message></context>
<context><name>Wording</name><message><source>{name}, asleep</source><translation>{name}, im Schlaf</translation></message></context>
<context><name>Wording</name><message><source>{n} B</source><translation>{n} B</translation></message></context>
<context><name>Wording</name><message><source>{n} KiB</source><translation>{n} KiB</translation></message></context>
<context><name>Wording</name><message><source>{n} h</source><translation>{n} h</translation></message></context>
<context><name>Wording</name><message><source>{n} h left</source><translation>noch {n} h</translation></message></context>
<context><name>Wording</name><message><source>{n} min</source><translation>{n} min</translation></message></context>
<context><name>Wording</name><message><source>{n} min left</source><translation>noch {n} min</translation></message></context>
<context><name>Wording</name><message><source>“{name}”</source><translation>„{name}“</translation></message></context>
<context><name>Words</name><message><source>action</source><translation>Handlung</translation></message></context>
<context><name>Words</name><message><source>conversation</source><translation>Gespräch</translation></message></context>
<context><name>Words</name><message><source>core</source><translation>Kern</translation></message></context>
<context><name>Words</name><message><source>daily</source><translation>täglich</translation></message></context>
<context><name>Words</name><message><source>decision</source><translation>Entscheidung</translation></message></context>
<context><name>Words</name><message><source>event</source><translation>Ereignis</translation></message></context>
<context><name>Words</name><message><source>fact</source><translation>Tatsache</translation></message></context>
<context><name>Words</name><message><source>instruction</source><translation>Anweisung</translation></message></context>
<context><name>Words</name><message><source>journal</source><translation>Tagebuch</translation></message></context>
<context><name>Words</name><message><source>memory</source><translation>Erinnerung</translation></message></context>
<context><name>Words</name><message><source>note</source><translation>Notiz</translation></message></context>
<context><name>Words</name><message><source>observation</source><translation>Beobachtung</translation></message></context>
<context><name>Words</name><message><source>preference</source><translation>Vorliebe</translation></message></context>
<context><name>Words</name><message><source>relationship</source><translation>Beziehung</translation></message></context>
<context><name>Words</name><message><source>workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>WordsPopup</name><message><source>More in Help (F1)</source><translation>Mehr in der Hilfe (F1)</translation></message></context>
<context><name>Workbench</name><message><source>Saved {key}</source><translation>{key} gespeichert</translation></message></context>
<context><name>Workbench</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>WriterFields</name><message><source>A key is kept; type to replace it</source><translation>Ein Schlüssel ist hinterlegt; tippe, um ihn zu ersetzen</translation></message></context>
<context><name>WriterFields</name><message><source>Address</source><translation>Adresse</translation></message></context>
<context><name>WriterFields</name><message><source>If the endpoint needs one; kept in your keyring</source><translation>Falls die Adresse einen braucht; er liegt in deinem Schlüsselbund</translation></message></context>
<context><name>WriterFields</name><message><source>Its name, as that address knows it.</source><translation>Sein Name, wie jene Adresse ihn kennt.</translation></message></context>
<context><name>WriterFields</name><message><source>Key</source><translation>Schlüssel</translation></message></context>
<context><name>WriterFields</name><message><source>Model</source><translation>Modell</translation></message></context>
<context><name>WriterFields</name><message><source>The secret it asks for, if it does.</source><translation>Das Geheimnis, nach dem es fragt, falls es das tut.</translation></message></context>
<context><name>WriterFields</name><message><source>Where the model answers.</source><translation>Wo das Modell antwortet.</translation></message></context>
<context><name>WriterFields</name><message><source>{field} of the writing model</source><translation>{field} des Schreibmodells</translation></message></context>
<context><name>WriterSettings</name><message><source>Asking…</source><translation>Wird gefragt…</translation></message></context>
<context><name>WriterSettings</name><message><source>Clear</source><translation>Entfernen</translation></message></context>
<context><name>WriterSettings</name><message><source>Clear the writing model</source><translation>Das Schreibmodell entfernen</translation></message></context>
<context><name>WriterSettings</name><message><source>Cleared, and its key dropped.</source><translation>Entfernt, samt Schlüssel.</translation></message></context>
<context><name>WriterSettings</name><message><source>Confirmed for this machine.</source><translation>Für diesen Rechner bestätigt.</translation></message></context>
<context><name>WriterSettings</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>WriterSettings</name><message><source>Save the writing model</source><translation>Das Schreibmodell speichern</translation></message></context>
<context><name>WriterSettings</name><message><source>Saved.</source><translation>Gespeichert.</translation></message></context>
<context><name>WriterSettings</name><message><source>Test</source><translation>Testen</translation></message></context>
<context><name>WriterSettings</name><message><source>Test the writing model</source><translation>Das Schreibmodell testen</translation></message></context>
<context><name>WriterSettings</name><message><source>The built-in writer is at work, on this machine. Nothing is sent anywhere.</source><translation>Der eingebaute Schreiber arbeitet, auf diesem Rechner. Nichts wird irgendwohin gesendet.</translation></message></context>
<context><name>WriterSettings</name><message><source>The key you keep goes with it.</source><translation>Der hinterlegte Schlüssel geht mit.</translation></message></context>
<context><name>WriterSettings</name><message><source>This vault names {model} at {address}, which nobody confirmed on this machine: the built-in writer is at work and nothing is sent. If you use it here, what was said in conversations is sent there.</source><translation>Dieser Tresor nennt {model} unter {address}, was auf diesem Rechner niemand bestätigt hat: Der eingebaute Schreiber arbeitet, und nichts wird gesendet. Wenn du es hier verwendest, geht dorthin, was in Gesprächen gesagt wurde.</translation></message></context>
<context><name>WriterSettings</name><message><source>Today it was given about {today} of at most {most} tokens.</source><translation>Heute bekam es etwa {today} von höchstens {most} Token.</translation></message></context>
<context><name>WriterSettings</name><message><source>Use it here</source><translation>Hier verwenden</translation></message></context>
<context><name>WriterSettings</name><message><source>Use this writing model on this machine</source><translation>Dieses Schreibmodell auf diesem Rechner verwenden</translation></message></context>
<context><name>WriterSettings</name><message><source>{model} writes. What was said in conversations is sent to {address}; if it fails, the built-in writer steps in.</source><translation>{model} schreibt. Was in Gesprächen gesagt wurde, geht an {address}; versagt es, springt der eingebaute Schreiber ein.</translation></message></context>
<context><name>_Side</name><message><source>Agent</source><translation>Agent</translation></message></context>
<context><name>_Side</name><message><source>Nothing that the other does not get.</source><translation>Nichts, was der andere nicht bekommt.</translation></message></context>
<context><name>_Side</name><message><source>Only here: {names}</source><translation>Nur hier: {names}</translation></message></context>
<context><name>_Side</name><message><source>The other agent to compare with.</source><translation>Der andere Agent, mit dem verglichen wird.</translation></message></context>
<context><name>clients</name><message><source>Cursor asks to enable it.</source><translation>Cursor fragt, ob es aktiv werden soll.</translation></message></context>
<context><name>clients</name><message><source>Quit and reopen Claude Desktop.</source><translation>Beende Claude Desktop und öffne es neu.</translation></message></context>
<context><name>clients</name><message><source>Refresh the list of MCP servers.</source><translation>Lade die Liste der MCP-Server neu.</translation></message></context>
<context><name>clients</name><message><source>Run “MCP: List Servers” and start it.</source><translation>Rufe „MCP: List Servers“ auf und starte ihn.</translation></message></context>
<context><name>clients</name><message><source>Start a new session.</source><translation>Beginne eine neue Sitzung.</translation></message></context>
<context><name>clients</name><message><source>Start a new session; /mcp shows it.</source><translation>Beginne eine neue Sitzung; /mcp zeigt es.</translation></message></context>
<context><name>clients</name><message><source>Switch it on in a chat, under Program.</source><translation>Schalte es in einem Chat unter „Program“ ein.</translation></message></context>
<context><name>errors</name><message><source>A backup was put in place in that time; what was before it is not in the log. Begin after it, with --good.</source><translation>In dieser Zeit wurde eine Sicherung eingesetzt; was davor war, steht nicht im Protokoll. Beginne danach, mit --good.</translation></message></context>
<context><name>errors</name><message><source>A backup was put in place since. Undo that by itself.</source><translation>Seither wurde eine Sicherung eingespielt. Mach das für sich rückgängig.</translation></message></context>
<context><name>errors</name><message><source>A block is text: it cannot hold NUL or half a character.</source><translation>Ein Block ist Text: Er kann kein NUL und kein halbes Zeichen enthalten.</translation></message></context>
<context><name>errors</name><message><source>A name has 1 to 64 characters.</source><translation>Ein Name hat 1 bis 64 Zeichen.</translation></message></context>
<context><name>errors</name><message><source>A proposed change needs its fields.</source><translation>Eine vorgeschlagene Änderung braucht ihre Felder.</translation></message></context>
<context><name>errors</name><message><source>A proposed edit needs its pairs of oldText and newText.</source><translation>Eine vorgeschlagene Bearbeitung braucht ihre Paare aus oldText und newText.</translation></message></context>
<context><name>errors</name><message><source>A question of the past is asked among at most {0} memories, and {1} saw {2}. Judge by hand: keepsake bisect --agent {3}.</source><translation>Eine Frage an früher wird unter höchstens {0} Erinnerungen gestellt, und {1} sah {2}. Urteile selbst: keepsake bisect --agent {3}.</translation></message></context>
<context><name>errors</name><message><source>A question of the past would lay an encrypted vault's text open in a throw-away one. Judge by hand: keepsake bisect --agent {0}.</source><translation>Eine Frage an früher würde den Text eines verschlüsselten Tresors in einem Wegwerf-Tresor offenlegen. Urteile selbst: keepsake bisect --agent {0}.</translation></message></context>
<context><name>errors</name><message><source>A recovery key has no {0}. Look at it again.</source><translation>Ein Wiederherstellungsschlüssel hat kein {0}. Sieh noch einmal hin.</translation></message></context>
<context><name>errors</name><message><source>A recovery key has {0} letters and digits in groups of {1}; these are {2}.</source><translation>Ein Wiederherstellungsschlüssel hat {0} Buchstaben und Ziffern in Gruppen zu {1}; das sind {2}.</translation></message></context>
<context><name>errors</name><message><source>A size is from {0} to {1}, in characters or bytes.</source><translation>Eine Größe liegt zwischen {0} und {1}, in Zeichen oder Bytes.</translation></message></context>
<context><name>errors</name><message><source>A tag must be text.</source><translation>Ein Schlagwort muss Text sein.</translation></message></context>
<context><name>errors</name><message><source>A vault cannot be made at {0} ({1}). Choose a place you may write to with --vault.</source><translation>Bei {0} lässt sich kein Tresor anlegen ({1}). Wähle mit --vault einen Ort, an dem du schreiben darfst.</translation></message></context>
<context><name>errors</name><message><source>A workspace needs a name of at most {0} characters.</source><translation>Ein Arbeitsbereich braucht einen Namen mit höchstens {0} Zeichen.</translation></message></context>
<context><name>errors</name><message><source>A workspace's name has no control characters.</source><translation>Der Name eines Arbeitsbereichs hat keine Steuerzeichen.</translation></message></context>
<context><name>errors</name><message><source>Adding an agent or shutting it out is changed under Agents, not by undo.</source><translation>Einen Agenten hinzuzufügen oder auszusperren, wird unter Agenten geändert, nicht durch Rückgängig.</translation></message></context>
<context><name>errors</name><message><source>An agent has no setting {0}.</source><translation>Ein Agent hat keine Einstellung {0}.</translation></message></context>
<context><name>errors</name><message><source>An agent is let into a workspace, and into nothing else.</source><translation>Ein Agent wird in einen Arbeitsbereich eingelassen und in nichts sonst.</translation></message></context>
<context><name>errors</name><message><source>An edit's old text is empty; give the exact text to replace.</source><translation>Der alte Text einer Bearbeitung ist leer; gib den genauen Text an.</translation></message></context>
<context><name>errors</name><message><source>An erased memory cannot be brought back.</source><translation>Eine gelöschte Erinnerung lässt sich nicht zurückholen.</translation></message></context>
<context><name>errors</name><message><source>Another Keepsake has been busy with the mirrors for {0} seconds.</source><translation>Ein anderes Keepsake ist seit {0} Sekunden mit den Spiegeln beschäftigt.</translation></message></context>
<context><name>errors</name><message><source>Another program has been opening {0} for more than {1} seconds. Try again, or end the program that is stuck.</source><translation>Ein anderes Programm öffnet {0} seit mehr als {1} Sekunden. Versuch es noch einmal oder beende das hängende Programm.</translation></message></context>
<context><name>errors</name><message><source>Another program has been writing to {0} for more than {1} seconds. Nothing was changed; try again, or end the program that is stuck.</source><translation>Ein anderes Programm schreibt seit mehr als {1} Sekunden in {0}. Nichts wurde geändert; versuche es noch einmal, oder beende das Programm, das hängt.</translation></message></context>
<context><name>errors</name><message><source>At most {0} names in muted_for; `*` is everybody.</source><translation>Höchstens {0} Namen in muted_for; `*` sind alle.</translation></message></context>
<context><name>errors</name><message><source>At most {0} tags; these are {1}.</source><translation>Höchstens {0} Schlagwörter; das sind {1}.</translation></message></context>
<context><name>errors</name><message><source>Change {0} did not make a version of {1}. What was there before a correction comes back by undoing the correction.</source><translation>Änderung {0} hat keine Fassung von {1} erzeugt. Was vor einer Berichtigung da war, kommt zurück, wenn du die Berichtigung rückgängig machst.</translation></message></context>
<context><name>errors</name><message><source>Change {0} is none of those that are looked at.</source><translation>Die Änderung {0} ist keine von denen, die betrachtet werden.</translation></message></context>
<context><name>errors</name><message><source>Changes of a {0} cannot be undone here.</source><translation>Änderungen an {0} lassen sich hier nicht rückgängig machen.</translation></message></context>
<context><name>errors</name><message><source>ChatGPT export</source><translation>ChatGPT-Export</translation></message></context>
<context><name>errors</name><message><source>Claude Code memory</source><translation>Gedächtnis von Claude Code</translation></message></context>
<context><name>errors</name><message><source>Claude export</source><translation>Claude-Export</translation></message></context>
<context><name>errors</name><message><source>Core has {0} bytes of {1}.</source><translation>Der Kern hat {0} von {1} Bytes.</translation></message></context>
<context><name>errors</name><message><source>Erasing is for good, and what was there before this backup is not known.</source><translation>Löschen ist endgültig, und was vor dieser Sicherung da war, ist nicht bekannt.</translation></message></context>
<context><name>errors</name><message><source>Extra fields must be a JSON object.</source><translation>Zusätzliche Felder müssen ein JSON-Objekt sein.</translation></message></context>
<context><name>errors</name><message><source>Found because {0} and {1}.</source><translation>Gefunden, weil {0} und {1}.</translation></message></context>
<context><name>errors</name><message><source>Found because {0}.</source><translation>Gefunden, weil {0}.</translation></message></context>
<context><name>errors</name><message><source>Gemini activity</source><translation>Gemini-Aktivität</translation></message></context>
<context><name>errors</name><message><source>Give the search a name.</source><translation>Gib der Suche einen Namen.</translation></message></context>
<context><name>errors</name><message><source>In this block {0} {1}; nothing was changed.</source><translation>In diesem Block {0} {1}; nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>It cannot be undone: what it changed was erased for good.</source><translation>Das lässt sich nicht rückgängig machen: Was es geändert hat, wurde endgültig gelöscht.</translation></message></context>
<context><name>errors</name><message><source>It cannot be undone: what it held was erased or compacted.</source><translation>Das lässt sich nicht rückgängig machen: Was es enthielt, wurde gelöscht oder verdichtet.</translation></message></context>
<context><name>errors</name><message><source>It could not be kept: something else was written meanwhile.</source><translation>Es ließ sich nicht merken: Inzwischen wurde etwas anderes geschrieben.</translation></message></context>
<context><name>errors</name><message><source>It could not be noted in {0}: {1}.</source><translation>In {0} ließ es sich nicht vermerken: {1}.</translation></message></context>
<context><name>errors</name><message><source>It does not hold a JSON object, so it was left alone.</source><translation>Es enthält kein JSON-Objekt und blieb darum unberührt.</translation></message></context>
<context><name>errors</name><message><source>It does not hold names and values, so it was left alone.</source><translation>Es enthält keine Namen und Werte und blieb darum unberührt.</translation></message></context>
<context><name>errors</name><message><source>It is not JSON ({0}), so it was left alone.</source><translation>Es ist kein JSON ({0}) und blieb darum unberührt.</translation></message></context>
<context><name>errors</name><message><source>It is not YAML ({0}), so it was left alone.</source><translation>Es ist kein YAML ({0}) und blieb darum unberührt.</translation></message></context>
<context><name>errors</name><message><source>It is not true before {0}. {1}</source><translation>Sie ist vor dem {0} nicht wahr. {1}</translation></message></context>
<context><name>errors</name><message><source>It is not valid TOML ({0}), so it was left alone.</source><translation>Es ist kein gültiges TOML ({0}) und blieb darum unberührt.</translation></message></context>
<context><name>errors</name><message><source>It is shaped in a way that was not expected; it was left alone.</source><translation>Es ist anders aufgebaut als erwartet; es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>It is told.</source><translation>Es wird gesagt.</translation></message></context>
<context><name>errors</name><message><source>It is written in a way that cannot be changed safely; it was left alone.</source><translation>Es ist so geschrieben, dass es sich nicht sicher ändern lässt; es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>It was never green.</source><translation>Es war nie grün.</translation></message></context>
<context><name>errors</name><message><source>It was red before the last run.</source><translation>Es war schon vor dem letzten Lauf rot.</translation></message></context>
<context><name>errors</name><message><source>It was true until {0}. {1}</source><translation>Sie war wahr bis {0}. {1}</translation></message></context>
<context><name>errors</name><message><source>Its hooks are shaped in another way; it was left alone.</source><translation>Seine Hooks sind anders aufgebaut; es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>Its {0} is not an object; it was left alone.</source><translation>Sein {0} ist kein Objekt; es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>Its {0} is shaped in another way; it was left alone.</source><translation>Sein {0} ist anders aufgebaut; es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>Letta agent file</source><translation>Agentendatei von Letta</translation></message></context>
<context><name>errors</name><message><source>List of memories</source><translation>Liste von Erinnerungen</translation></message></context>
<context><name>errors</name><message><source>Logseq graph</source><translation>Logseq-Graph</translation></message></context>
<context><name>errors</name><message><source>Many entries cannot share one key; change keys one by one.</source><translation>Viele Einträge können sich keinen Schlüssel teilen; ändere Schlüssel einzeln.</translation></message></context>
<context><name>errors</name><message><source>Markdown notes</source><translation>Markdown-Notizen</translation></message></context>
<context><name>errors</name><message><source>Memories go into {0}; not {1}.</source><translation>Erinnerungen kommen in {0}; nicht in {1}.</translation></message></context>
<context><name>errors</name><message><source>Merging takes at least two memories.</source><translation>Zusammenführen braucht mindestens zwei Erinnerungen.</translation></message></context>
<context><name>errors</name><message><source>Name the model, as the endpoint calls it.</source><translation>Nenne das Modell so, wie der Endpunkt es nennt.</translation></message></context>
<context><name>errors</name><message><source>No dictionary is installed. On Debian and Ubuntu: apt install dict-{0}. Elsewhere download it from https://freedict.org and name its folder.</source><translation>Es ist kein Wörterbuch installiert. Unter Debian und Ubuntu: apt install dict-{0}. Anderswo von https://freedict.org laden und den Ordner nennen.</translation></message></context>
<context><name>errors</name><message><source>No dictionary was added for {0}.</source><translation>Für {0} wurde kein Wörterbuch hinzugefügt.</translation></message></context>
<context><name>errors</name><message><source>Nothing in {0} looks like memories: no markdown, JSON, CSV or text that Keepsake knows.{1}</source><translation>In {0} sieht nichts nach Erinnerungen aus: kein Markdown, JSON, CSV oder Text, den Keepsake kennt.{1}</translation></message></context>
<context><name>errors</name><message><source>Nothing is projected into {0}.</source><translation>In {0} wird nichts geschrieben.</translation></message></context>
<context><name>errors</name><message><source>Nothing was changed in that time, so no change can be to blame.</source><translation>In dieser Zeit wurde nichts geändert, also kann keine Änderung schuld sein.</translation></message></context>
<context><name>errors</name><message><source>Nothing was changed since it was green: time or the model made it so.</source><translation>Seit es grün war, wurde nichts geändert: Die Zeit oder das Modell war es.</translation></message></context>
<context><name>errors</name><message><source>Nothing was stored: the memory of {0} is full, and what is in it is kept before a memory of the category {1}, which would be the first to go. Forget what is stale, or store it as core.</source><translation>Nichts wurde gespeichert: Das Gedächtnis von {0} ist voll, und was darin ist, bleibt vor einer Erinnerung der Kategorie {1}, die als Erste ginge. Vergiss, was veraltet ist, oder speichere sie als Kern.</translation></message></context>
<context><name>errors</name><message><source>Notion export</source><translation>Notion-Export</translation></message></context>
<context><name>errors</name><message><source>Obsidian vault</source><translation>Obsidian-Vault</translation></message></context>
<context><name>errors</name><message><source>Open Knowledge Format</source><translation>Open Knowledge Format</translation></message></context>
<context><name>errors</name><message><source>Others may read {0}, which holds a key: chmod 600 it, then try again.</source><translation>Andere dürfen {0} lesen, das einen Schlüssel enthält: chmod 600, dann versuch es noch einmal.</translation></message></context>
<context><name>errors</name><message><source>Port {0} cannot be used ({1}): perhaps another Keepsake serves there already. Choose another under Settings › API, or with keepsake serve --port; 0 is any free one.</source><translation>Port {0} ist nicht zu haben ({1}): Vielleicht dient dort schon ein anderes Keepsake. Wähle einen anderen unter Einstellungen › API oder mit keepsake serve --port; 0 ist irgendein freier.</translation></message></context>
<context><name>errors</name><message><source>Portable AI Memory</source><translation>Portable AI Memory</translation></message></context>
<context><name>errors</name><message><source>Reference memory server</source><translation>Referenz-Gedächtnisserver</translation></message></context>
<context><name>errors</name><message><source>Say {0} or {1}, not {2}.</source><translation>Sag {0} oder {1}, nicht {2}.</translation></message></context>
<context><name>errors</name><message><source>Say {0}, {1} or {2}, not {3}.</source><translation>Sag {0}, {1} oder {2}, nicht {3}.</translation></message></context>
<context><name>errors</name><message><source>Something is being erased, and the copy of {0} went with it. Nothing was changed; try again.</source><translation>Gerade wird etwas gelöscht, und die Kopie von {0} ging mit. Nichts wurde geändert; versuch es noch einmal.</translation></message></context>
<context><name>errors</name><message><source>Table of memories</source><translation>Tabelle von Erinnerungen</translation></message></context>
<context><name>errors</name><message><source>That action was not undone, so there is nothing to do again.</source><translation>Diese Handlung wurde nicht rückgängig gemacht, also gibt es nichts zu wiederholen.</translation></message></context>
<context><name>errors</name><message><source>That folder is no longer mirrored.</source><translation>Dieser Ordner wird nicht mehr gespiegelt.</translation></message></context>
<context><name>errors</name><message><source>That is a recovery key, and not the one of {0}.</source><translation>Das ist ein Wiederherstellungsschlüssel, aber nicht der von {0}.</translation></message></context>
<context><name>errors</name><message><source>That is an undo itself; use redo.</source><translation>Das ist selbst ein Rückgängig; nimm Wiederholen.</translation></message></context>
<context><name>errors</name><message><source>That token is not {0}'s.</source><translation>Dieses Token gehört nicht zu {0}.</translation></message></context>
<context><name>errors</name><message><source>That version is not kept any more: its content was compacted.</source><translation>Diese Fassung ist nicht mehr da: Ihr Inhalt wurde verdichtet.</translation></message></context>
<context><name>errors</name><message><source>That was undone already; redo brings it back.</source><translation>Das wurde schon rückgängig gemacht; Wiederholen bringt es zurück.</translation></message></context>
<context><name>errors</name><message><source>The API could not start: {0}.</source><translation>Die API konnte nicht starten: {0}.</translation></message></context>
<context><name>errors</name><message><source>The answers contradict each other: good after it was bad. Begin again.</source><translation>Die Antworten widersprechen sich: gut, nachdem es schlecht war. Beginne von vorn.</translation></message></context>
<context><name>errors</name><message><source>The backup {0} cannot be converted: {1} Move it away, or say --drop-backups to remove all of them. The vault is as it was.</source><translation>Die Sicherung {0} lässt sich nicht umwandeln: {1} Leg sie woanders hin, oder entferne mit --drop-backups alle. Der Tresor ist, wie er war.</translation></message></context>
<context><name>errors</name><message><source>The backup {0} is damaged: it is not a Keepsake vault any more.</source><translation>Die Sicherung {0} ist beschädigt: Sie ist kein Keepsake-Tresor mehr.</translation></message></context>
<context><name>errors</name><message><source>The backup {0} is damaged: {1}.</source><translation>Die Sicherung {0} ist beschädigt: {1}.</translation></message></context>
<context><name>errors</name><message><source>The backup {0} is empty.</source><translation>Die Sicherung {0} ist leer.</translation></message></context>
<context><name>errors</name><message><source>The backup {0} was encrypted with a key that is not this vault's. Open it as a vault of its own: keepsake unlock --vault with its path.</source><translation>Die Sicherung {0} wurde mit einem Schlüssel verschlüsselt, der nicht der dieses Tresors ist. Öffne sie als eigenen Tresor: keepsake unlock --vault mit ihrem Pfad.</translation></message></context>
<context><name>errors</name><message><source>The budget is from 0 to {0} bytes, not {1}.</source><translation>Das Budget reicht von 0 bis {0} Byte, nicht {1}.</translation></message></context>
<context><name>errors</name><message><source>The budget is from 256 to 65,536 bytes.</source><translation>Das Budget liegt zwischen 256 und 65.536 Bytes.</translation></message></context>
<context><name>errors</name><message><source>The bundled model cannot be read from {0} ({1}). Install Keepsake again.</source><translation>Das mitgelieferte Modell lässt sich nicht aus {0} lesen ({1}). Installiere Keepsake neu.</translation></message></context>
<context><name>errors</name><message><source>The content has {0} bytes; {1} is the most. Store the conclusion, or split it.</source><translation>Der Inhalt hat {0} Byte; {1} sind das Höchste. Speichere das Ergebnis oder teile ihn auf.</translation></message></context>
<context><name>errors</name><message><source>The content holds characters that are not text (NUL or half a surrogate).</source><translation>Der Inhalt enthält Zeichen, die kein Text sind (NUL oder ein halbes Surrogat).</translation></message></context>
<context><name>errors</name><message><source>The content is empty; say what to remember.</source><translation>Der Inhalt ist leer; sag, was behalten werden soll.</translation></message></context>
<context><name>errors</name><message><source>The content must be text.</source><translation>Der Inhalt muss Text sein.</translation></message></context>
<context><name>errors</name><message><source>The cursor is not one that this list gave; start again without it.</source><translation>Diesen Zeiger hat die Liste nicht gegeben; beginne ohne ihn von vorn.</translation></message></context>
<context><name>errors</name><message><source>The disk that holds {0} is full; nothing was changed. Free some space. Forgetting and erasing memories still works.</source><translation>Der Datenträger mit {0} ist voll; nichts wurde geändert. Schaffe etwas Platz. Erinnerungen vergessen und endgültig löschen geht noch.</translation></message></context>
<context><name>errors</name><message><source>The embedding model {0} cannot be loaded ({1}). Check its name or folder in the settings. Search by words still works.</source><translation>Das Einbettungsmodell {0} lässt sich nicht laden ({1}). Prüfe seinen Namen oder Ordner in den Einstellungen. Die Suche nach Worten geht weiter.</translation></message></context>
<context><name>errors</name><message><source>The embedding model {0} needs sentence-transformers. Install it with pip install "keepsake-desk[models]", or empty the setting embedding_model to use the bundled model. Search by words still works.</source><translation>Das Einbettungsmodell {0} braucht sentence-transformers. Installiere es mit pip install "keepsake-desk[models]", oder leere die Einstellung embedding_model für das mitgelieferte. Die Suche nach Worten geht weiter.</translation></message></context>
<context><name>errors</name><message><source>The extra fields are larger than an entry may be.</source><translation>Die zusätzlichen Felder sind größer, als ein Eintrag sein darf.</translation></message></context>
<context><name>errors</name><message><source>The guidance is text of at most {0} characters.</source><translation>Die Anleitung ist Text mit höchstens {0} Zeichen.</translation></message></context>
<context><name>errors</name><message><source>The importance is a whole number from 1 to 10, not {0}.</source><translation>Die Wichtigkeit ist eine ganze Zahl von 1 bis 10, nicht {0}.</translation></message></context>
<context><name>errors</name><message><source>The key cannot be read from {0} (it is not text).</source><translation>Der Schlüssel lässt sich nicht aus {0} lesen (es ist kein Text).</translation></message></context>
<context><name>errors</name><message><source>The key cannot be read from {0} ({1}).</source><translation>Der Schlüssel lässt sich nicht aus {0} lesen ({1}).</translation></message></context>
<context><name>errors</name><message><source>The key is empty; leave it out to have one made.</source><translation>Der Schlüssel ist leer; lass ihn weg, dann wird einer gebildet.</translation></message></context>
<context><name>errors</name><message><source>The key that was given is not the key of {0}. Nothing was changed.</source><translation>Der angegebene Schlüssel ist nicht der von {0}. Nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>The key was not kept: {0} Nothing was changed.</source><translation>Der Schlüssel wurde nicht behalten: {0} Nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>The key {0} was taken meanwhile; undo that first.</source><translation>Der Schlüssel {0} wurde inzwischen vergeben; mach das zuerst rückgängig.</translation></message></context>
<context><name>errors</name><message><source>The keyring did not answer within {0} seconds.</source><translation>Der Schlüsselbund hat {0} Sekunden lang nicht geantwortet.</translation></message></context>
<context><name>errors</name><message><source>The keyring did not give back what it was given.</source><translation>Der Schlüsselbund gab nicht zurück, was er bekommen hat.</translation></message></context>
<context><name>errors</name><message><source>The keyring failed: {0}.</source><translation>Der Schlüsselbund hat versagt: {0}.</translation></message></context>
<context><name>errors</name><message><source>The limit is from 1 to {0}.</source><translation>Die Grenze liegt zwischen 1 und {0}.</translation></message></context>
<context><name>errors</name><message><source>The nearest there is, though not near.</source><translation>Das Nächste, was es gibt, wenn auch nicht nahe.</translation></message></context>
<context><name>errors</name><message><source>The new file does not hold all of the old; the vault was left as it is.</source><translation>Die neue Datei enthält nicht alles der alten; der Tresor blieb, wie er ist.</translation></message></context>
<context><name>errors</name><message><source>The new file is not sound ({0}); the vault was left as it is.</source><translation>Die neue Datei ist nicht in Ordnung ({0}); der Tresor blieb, wie er ist.</translation></message></context>
<context><name>errors</name><message><source>The proposal needs {0} as text.</source><translation>Der Vorschlag braucht {0} als Text.</translation></message></context>
<context><name>errors</name><message><source>The scope user takes no id.</source><translation>Der Bereich user nimmt keine Kennung.</translation></message></context>
<context><name>errors</name><message><source>The similarity is from 0.5 to 1.</source><translation>Die Ähnlichkeit liegt zwischen 0,5 und 1.</translation></message></context>
<context><name>errors</name><message><source>The text {0} is in the {1} more than once; nothing was changed. Give more of the text around it.</source><translation>Der Text {0} steht mehr als einmal in {1}; nichts wurde geändert. Gib mehr vom Text ringsum an.</translation></message></context>
<context><name>errors</name><message><source>The text {0} is not in the {1}; nothing was changed.</source><translation>Der Text {0} steht nicht in {1}; nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>The vault {0} is closed.</source><translation>Der Tresor {0} ist geschlossen.</translation></message></context>
<context><name>errors</name><message><source>The vault's file {0} was moved, deleted or replaced while it was open; nothing was changed. Close Keepsake and open it again.</source><translation>Die Datei des Tresors {0} wurde verschoben, gelöscht oder ersetzt, während sie offen war; nichts wurde geändert. Schließe Keepsake und öffne es wieder.</translation></message></context>
<context><name>errors</name><message><source>The word index of {0} is damaged ({1}). Run keepsake doctor --rebuild; nothing of yours is touched.</source><translation>Das Wortverzeichnis von {0} ist beschädigt ({1}). Rufe keepsake doctor --rebuild auf; nichts von dir wird berührt.</translation></message></context>
<context><name>errors</name><message><source>The {0} block holds at most {1} characters; this is {2}. Shorten it by {3}.</source><translation>Der Block {0} fasst höchstens {1} Zeichen; das sind {2}. Kürze ihn um {3}.</translation></message></context>
<context><name>errors</name><message><source>The {0} block holds at most {1} entries (list items); this has {2}. Merge some, or keep the particular ones in archival.</source><translation>Der Block {0} fasst höchstens {1} Einträge (Listenpunkte); das sind {2}. Führe einige zusammen, oder leg die besonderen ins Archiv.</translation></message></context>
<context><name>errors</name><message><source>The {0} changed since it was green: {1}</source><translation>Seit es grün war, hat sich geändert ({0}): {1}</translation></message></context>
<context><name>errors</name><message><source>The {0} has {1} characters; {2} is the most.</source><translation>{0} hat {1} Zeichen; {2} sind das Höchste.</translation></message></context>
<context><name>errors</name><message><source>The {0} holds characters that are not text.</source><translation>{0} enthält Zeichen, die kein Text sind.</translation></message></context>
<context><name>errors</name><message><source>The {0} is empty.</source><translation>{0} ist leer.</translation></message></context>
<context><name>errors</name><message><source>The {0} must be text.</source><translation>{0} muss Text sein.</translation></message></context>
<context><name>errors</name><message><source>There is a new {0} in its place; it was not touched.</source><translation>An seiner Stelle ist ein neues {0}; es wurde nicht angetastet.</translation></message></context>
<context><name>errors</name><message><source>There is a slip in this recovery key: its check does not fit. Type it again.</source><translation>In diesem Wiederherstellungsschlüssel ist ein Fehler: Seine Prüfung passt nicht. Schreib ihn noch einmal.</translation></message></context>
<context><name>errors</name><message><source>There is an agent {0} already. Choose another name, or `keepsake agents rotate {1}` for a new token.</source><translation>Es gibt schon einen Agenten {0}. Wähle einen anderen Namen, oder `keepsake agents rotate {1}` für ein neues Token.</translation></message></context>
<context><name>errors</name><message><source>There is no agent {0} any more.</source><translation>Den Agenten {0} gibt es nicht mehr.</translation></message></context>
<context><name>errors</name><message><source>There is no agent {0}. See keepsake agents list.</source><translation>Es gibt keinen Agenten {0}. Siehe keepsake agents list.</translation></message></context>
<context><name>errors</name><message><source>There is no backup yet: keepsake backup now makes one.</source><translation>Es gibt noch keine Sicherung: keepsake backup now macht eine.</translation></message></context>
<context><name>errors</name><message><source>There is no backup {0}. See keepsake backup list.</source><translation>Es gibt keine Sicherung {0}. Siehe keepsake backup list.</translation></message></context>
<context><name>errors</name><message><source>There is no block {0}; blocks are {1}.</source><translation>Es gibt keinen Block {0}; Blöcke sind {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no change {0}.</source><translation>Es gibt keine Änderung {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no chat model to confirm. Name one with --endpoint and --model.</source><translation>Es gibt kein Chatmodell zu bestätigen. Nenne eines mit --endpoint und --model.</translation></message></context>
<context><name>errors</name><message><source>There is no client {0}. There are: {1}.</source><translation>Es gibt kein Programm {0}. Es gibt: {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no conversation {0}.</source><translation>Es gibt kein Gespräch {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no dictionary at {0}: a .index and a .dict.dz beside it.</source><translation>Bei {0} liegt kein Wörterbuch: eine .index und daneben eine .dict.dz.</translation></message></context>
<context><name>errors</name><message><source>There is no edit: give at least one pair of old and new text.</source><translation>Es gibt keine Bearbeitung: Gib mindestens ein Paar aus altem und neuem Text an.</translation></message></context>
<context><name>errors</name><message><source>There is no file or folder {0}.</source><translation>Es gibt keine Datei und keinen Ordner {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no folder {0}.</source><translation>Es gibt keinen Ordner {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no format {0}. These are known: {1}.</source><translation>Es gibt kein Format {0}. Bekannt sind: {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no language {0} here. Use one of {1}.</source><translation>Die Sprache {0} gibt es hier nicht. Möglich sind {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no memory {0}.</source><translation>Es gibt keine Erinnerung {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no order {0}. Use one of {1}.</source><translation>Es gibt keine Ordnung {0}. Nimm eine von {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no proposal to {0}.</source><translation>Es gibt keinen Vorschlag, {0} zu tun.</translation></message></context>
<context><name>errors</name><message><source>There is no proposal {0}.</source><translation>Es gibt keinen Vorschlag {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no scope {0}. Use user, agent:&lt;id&gt;, workspace:&lt;name&gt; or conversation:&lt;id&gt;.</source><translation>Es gibt keinen Bereich {0}. Nimm user, agent:&lt;id&gt;, workspace:&lt;name&gt; oder conversation:&lt;id&gt;.</translation></message></context>
<context><name>errors</name><message><source>There is no setting {0}. keepsake settings lists them.</source><translation>Es gibt keine Einstellung {0}. keepsake settings zählt sie auf.</translation></message></context>
<context><name>errors</name><message><source>There is no turn {0}.</source><translation>Es gibt keinen Beitrag {0}.</translation></message></context>
<context><name>errors</name><message><source>There is no vault at {0} yet.</source><translation>Bei {0} gibt es noch keinen Tresor.</translation></message></context>
<context><name>errors</name><message><source>There is no vault at {0}. Open Keepsake once, or name it with --vault.</source><translation>Bei {0} gibt es keinen Tresor. Öffne Keepsake einmal, oder nenne ihn mit --vault.</translation></message></context>
<context><name>errors</name><message><source>There is no {0} block in {1}.</source><translation>Es gibt keinen Block {0} in {1}.</translation></message></context>
<context><name>errors</name><message><source>There is no {0} {1}.</source><translation>Es gibt kein {0} {1}.</translation></message></context>
<context><name>errors</name><message><source>There is nothing to redo.</source><translation>Es gibt nichts zu wiederholen.</translation></message></context>
<context><name>errors</name><message><source>There is nothing to undo.</source><translation>Es gibt nichts rückgängig zu machen.</translation></message></context>
<context><name>errors</name><message><source>These two do not contradict each other, or it was settled.</source><translation>Diese beiden widersprechen sich nicht, oder es ist geklärt.</translation></message></context>
<context><name>errors</name><message><source>This SQLite is {0}; Keepsake needs {1} or later, because older ones can damage a vault. Install a newer sqlcipher3.</source><translation>Dieses SQLite ist {0}; Keepsake braucht {1} oder neuer, weil ältere einen Tresor beschädigen können. Installiere ein neueres sqlcipher3.</translation></message></context>
<context><name>errors</name><message><source>This is an SQLite database of another program, not a Keepsake vault. It was not touched; name another file with --vault.</source><translation>Das ist eine SQLite-Datenbank eines anderen Programms, kein Keepsake-Tresor. Sie wurde nicht angetastet; nenne mit --vault eine andere Datei.</translation></message></context>
<context><name>errors</name><message><source>This needs {0} MB free on the disk that holds {1}, for the new files beside the old; there are {2}. Free some space, or say --drop-backups to remove the vault's backups instead of converting them.</source><translation>Das braucht {0} MB frei auf dem Datenträger mit {1}, für die neuen Dateien neben den alten; es sind {2}. Schaff Platz, oder entferne mit --drop-backups die Sicherungen, statt sie umzuwandeln.</translation></message></context>
<context><name>errors</name><message><source>This proposal was {0} already; undo that first.</source><translation>Dieser Vorschlag wurde schon {0}; mach das zuerst rückgängig.</translation></message></context>
<context><name>errors</name><message><source>This takes a list of names.</source><translation>Das nimmt eine Liste von Namen.</translation></message></context>
<context><name>errors</name><message><source>This token is not valid (any more). The owner makes one with `keepsake agents add` or `keepsake agents rotate`.</source><translation>Dieses Token gilt nicht (mehr). Der Besitzer macht eines mit `keepsake agents add` oder `keepsake agents rotate`.</translation></message></context>
<context><name>errors</name><message><source>This vault names the embedding model {0}, which nobody named on this machine, so it is not fetched (keepsake settings embedding_model {1}). Search by words still works.</source><translation>Dieser Tresor nennt das Einbettungsmodell {0}, das auf diesem Rechner niemand genannt hat; es wird nicht geholt (keepsake settings embedding_model {1}). Die Suche nach Worten geht weiter.</translation></message></context>
<context><name>errors</name><message><source>This vault was written by a newer Keepsake (format {0}; this one knows {1}). Update Keepsake; the file was not touched.</source><translation>Diesen Tresor hat ein neueres Keepsake geschrieben (Format {0}; dieses kennt {1}). Aktualisiere Keepsake; die Datei wurde nicht angetastet.</translation></message></context>
<context><name>errors</name><message><source>Time, a setting or the model made it so, no change.</source><translation>Die Zeit, eine Einstellung oder das Modell war es, keine Änderung.</translation></message></context>
<context><name>errors</name><message><source>Two edits overlap at {0}; nothing was changed.</source><translation>Zwei Bearbeitungen überlappen sich bei {0}; nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>Unpinning needs a category other than core.</source><translation>Lösen braucht eine andere Kategorie als Kern.</translation></message></context>
<context><name>errors</name><message><source>Until when was it true? Say a moment that is past.</source><translation>Bis wann war es wahr? Nenne einen Zeitpunkt, der vorbei ist.</translation></message></context>
<context><name>errors</name><message><source>What it would forget is gone.</source><translation>Was vergessen werden sollte, ist fort.</translation></message></context>
<context><name>errors</name><message><source>What was there before is not kept any more. {0}</source><translation>Was vorher da war, ist nicht mehr da. {0}</translation></message></context>
<context><name>errors</name><message><source>Which file? Name it with --file, or leave --write out to see the snippet.</source><translation>Welche Datei? Nenne sie mit --file, oder lass --write weg, um den Ausschnitt zu sehen.</translation></message></context>
<context><name>errors</name><message><source>Which sentence? Paste what the assistant said.</source><translation>Welcher Satz? Füge ein, was der Assistent gesagt hat.</translation></message></context>
<context><name>errors</name><message><source>Which statement? There is none.</source><translation>Welche Aussage? Es gibt keine.</translation></message></context>
<context><name>errors</name><message><source>Which {0}? Write {1}:&lt;id&gt;.</source><translation>Welches {0}? Schreib {1}:&lt;id&gt;.</translation></message></context>
<context><name>errors</name><message><source>Who says it? Name the assistant, for example chatgpt.</source><translation>Wer sagt es? Nenne den Assistenten, zum Beispiel chatgpt.</translation></message></context>
<context><name>errors</name><message><source>Write scopes are of {0}, not {1}.</source><translation>Schreibbereiche sind {0}, nicht {1}.</translation></message></context>
<context><name>errors</name><message><source>You keep {0} core memories in {1} already, the most an agent may place there; nothing was written. Forget one, store it under another category, or in your own scope.</source><translation>Du behältst schon {0} Kernerinnerungen in {1}, mehr darf ein Agent dort nicht; nichts wurde geschrieben. Vergiss eine, speichere sie unter einer anderen Kategorie oder in deinem eigenen Bereich.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is among the first {1}, `{2}` is not.</source><translation>„{0}“ ist unter den ersten {1}, „{2}“ nicht.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is left out: {1}.</source><translation>„{0}“ bleibt draußen: {1}.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is not found.</source><translation>„{0}“ wird nicht gefunden.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is not found; found are {1}.</source><translation>„{0}“ wird nicht gefunden; gefunden werden {1}.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is number {1}, `{2}` number {3}.</source><translation>„{0}“ steht an Stelle {1}, „{2}“ an Stelle {3}.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is number {1}.</source><translation>„{0}“ steht an Stelle {1}.</translation></message></context>
<context><name>errors</name><message><source>`{0}` is number {1}; ahead of it {2}.</source><translation>„{0}“ steht an Stelle {1}; davor {2}.</translation></message></context>
<context><name>errors</name><message><source>it has your words in another form, or in its key, hook or tags</source><translation>deine Wörter in anderer Form vorkommen, oder in Schlüssel, Anlass oder Schlagwörtern</translation></message></context>
<context><name>errors</name><message><source>it says “{0}”</source><translation>„{0}“ darin steht</translation></message></context>
<context><name>errors</name><message><source>it was written at the time you name, or soon after</source><translation>sie zu der genannten Zeit oder bald danach geschrieben wurde</translation></message></context>
<context><name>errors</name><message><source>it was written next to a better match</source><translation>sie neben einem besseren Treffer geschrieben wurde</translation></message></context>
<context><name>errors</name><message><source>its meaning is close ({0})</source><translation>die Bedeutung nahe ist ({0})</translation></message></context>
<context><name>errors</name><message><source>its meaning is related ({0})</source><translation>die Bedeutung verwandt ist ({0})</translation></message></context>
<context><name>errors</name><message><source>mem0 rows</source><translation>Zeilen von mem0</translation></message></context>
<context><name>errors</name><message><source>{0} Say keepsake connect {1} --hooks --write, or name one with --agent in the client's hooks.</source><translation>{0} Sag keepsake connect {1} --hooks --write, oder nenne in den Hooks des Programms mit --agent einen.</translation></message></context>
<context><name>errors</name><message><source>{0} and the mirrored {1} lie in one another.</source><translation>{0} und das gespiegelte {1} liegen ineinander.</translation></message></context>
<context><name>errors</name><message><source>{0} belongs to somebody else</source><translation>{0} gehört jemand anderem</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be a key for all programs. Take one with Ctrl, Alt or Meta, like Ctrl+Alt+K.</source><translation>{0} kann keine Taste für alle Programme sein. Nimm eine mit Ctrl, Alt oder Meta, etwa Ctrl+Alt+K.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be changed. These can: scope, {1}.</source><translation>{0} lässt sich nicht ändern. Das lässt sich ändern: scope, {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be changed. {1}</source><translation>{0} lässt sich nicht ändern. {1}</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be changed: {1}.</source><translation>{0} lässt sich nicht ändern: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be locked ({1}), so others could write to it meanwhile. Move it to a folder of this machine's own disk.</source><translation>{0} lässt sich nicht sperren ({1}), sodass andere inzwischen schreiben könnten. Leg es in einen Ordner auf dem eigenen Datenträger.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be made: {1}.</source><translation>{0} lässt sich nicht anlegen: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be opened for writing. Check the permissions of the file and its folder, or choose another place with --vault.</source><translation>{0} lässt sich nicht zum Schreiben öffnen. Prüfe die Rechte der Datei und ihres Ordners, oder wähle mit --vault einen anderen Ort.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be opened: {1}.</source><translation>{0} lässt sich nicht öffnen: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be read ({1}).</source><translation>{0} lässt sich nicht lesen ({1}).</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be read ({1}). Mend or delete it, then give the secret again.</source><translation>{0} lässt sich nicht lesen ({1}). Richte oder lösche es, dann gib das Geheimnis noch einmal ein.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be read: {1}</source><translation>{0} lässt sich nicht lesen: {1}</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be read: {1}.</source><translation>{0} lässt sich nicht lesen: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be read: {1}. It was left alone.</source><translation>{0} kann nicht gelesen werden: {1}. Es wurde nicht angerührt.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be written ({1}). Give yourself write permission there, or choose another place with --vault.</source><translation>{0} lässt sich nicht schreiben ({1}). Gib dir dort Schreibrechte, oder wähle mit --vault einen anderen Ort.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be written to: {1}. A mirror goes both ways; keepsake import reads a folder once.</source><translation>In {0} lässt sich nicht schreiben: {1}. Ein Spiegel geht in beide Richtungen; keepsake import liest einen Ordner einmal.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be written, and what was written to it last is still in {1} beside it. {2}</source><translation>{0} lässt sich nicht schreiben, und was zuletzt geschrieben wurde, liegt noch in {1} daneben. {2}</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be written: {1}.</source><translation>{0} lässt sich nicht schreiben: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} cannot be written: {1}. It was left alone.</source><translation>{0} lässt sich nicht schreiben: {1}. Es blieb unberührt.</translation></message></context>
<context><name>errors</name><message><source>{0} could not be replaced: {1}.</source><translation>{0} ließ sich nicht ersetzen: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} does not hold a key: {1}</source><translation>{0} enthält keinen Schlüssel: {1}</translation></message></context>
<context><name>errors</name><message><source>{0} explains no single word in English.</source><translation>{0} erklärt kein einziges Wort auf Englisch.</translation></message></context>
<context><name>errors</name><message><source>{0} has no hooks that Keepsake knows. These have: {1}.</source><translation>{0} hat keine Hooks, die Keepsake kennt. Diese haben welche: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} has no place in frontmatter</source><translation>{0} hat keinen Platz im Frontmatter</translation></message></context>
<context><name>errors</name><message><source>{0} holds more than {1} files; import a part of it.</source><translation>{0} enthält mehr als {1} Dateien; importiere einen Teil davon.</translation></message></context>
<context><name>errors</name><message><source>{0} holds more than {1} notes</source><translation>{0} enthält mehr als {1} Notizen</translation></message></context>
<context><name>errors</name><message><source>{0} holds the vault itself; choose another folder.</source><translation>{0} enthält den Tresor selbst; wähle einen anderen Ordner.</translation></message></context>
<context><name>errors</name><message><source>{0} is a copy of the mirrored {1}. Delete its {2} file to mirror it by itself.</source><translation>{0} ist eine Kopie des gespiegelten {1}. Lösche seine Datei {2}, um ihn für sich zu spiegeln.</translation></message></context>
<context><name>errors</name><message><source>{0} is a damaged vault, kept when a backup took its place, and cannot be converted. Move it away, or say --drop-backups to remove it and all backups. The vault is as it was.</source><translation>{0} ist ein beschädigter Tresor, behalten, als eine Sicherung an seine Stelle trat, und lässt sich nicht umwandeln. Leg ihn woanders hin, oder entferne mit --drop-backups ihn und alle Sicherungen. Der Tresor ist, wie er war.</translation></message></context>
<context><name>errors</name><message><source>{0} is a folder; name a file with --vault.</source><translation>{0} ist ein Ordner; nenne mit --vault eine Datei.</translation></message></context>
<context><name>errors</name><message><source>{0} is a symbolic link; Keepsake does not follow it.</source><translation>{0} ist eine symbolische Verknüpfung; Keepsake folgt ihr nicht.</translation></message></context>
<context><name>errors</name><message><source>{0} is a whole number from {1} to {2}.</source><translation>{0} ist eine ganze Zahl von {1} bis {2}.</translation></message></context>
<context><name>errors</name><message><source>{0} is at least {1}.</source><translation>{0} ist mindestens {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} is at most {1}.</source><translation>{0} ist höchstens {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} is being encrypted or decrypted by another program. Try again when that is done.</source><translation>{0} wird gerade von einem anderen Programm ver- oder entschlüsselt. Versuch es, wenn das fertig ist.</translation></message></context>
<context><name>errors</name><message><source>{0} is being written by another program.</source><translation>{0} wird gerade von einem anderen Programm geschrieben.</translation></message></context>
<context><name>errors</name><message><source>{0} is damaged ({1}). Restore the latest backup: keepsake backup list, then keepsake backup restore.</source><translation>{0} ist beschädigt ({1}). Hol die letzte Sicherung zurück: keepsake backup list, dann keepsake backup restore.</translation></message></context>
<context><name>errors</name><message><source>{0} is damaged: its SHA-256 is not the one that was shipped. Install Keepsake again; search by words still works.</source><translation>{0} ist beschädigt: Die SHA-256 ist nicht die mitgelieferte. Installiere Keepsake neu; die Suche nach Worten geht weiter.</translation></message></context>
<context><name>errors</name><message><source>{0} is damaged; keepsake doctor says where. {1}</source><translation>{0} ist beschädigt; keepsake doctor sagt, wo. {1}</translation></message></context>
<context><name>errors</name><message><source>{0} is encrypted, and no key was given.</source><translation>{0} ist verschlüsselt, und kein Schlüssel wurde gegeben.</translation></message></context>
<context><name>errors</name><message><source>{0} is in the trash already; store what is right instead.</source><translation>{0} ist schon im Papierkorb; speichere stattdessen, was richtig ist.</translation></message></context>
<context><name>errors</name><message><source>{0} is in the trash; bring it back first.</source><translation>{0} ist im Papierkorb; hole es erst zurück.</translation></message></context>
<context><name>errors</name><message><source>{0} is in the trash; restore it first.</source><translation>{0} ist im Papierkorb; hol es zuerst zurück.</translation></message></context>
<context><name>errors</name><message><source>{0} is mirrored already, as {1}.</source><translation>{0} wird schon gespiegelt, als {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} is neither a file nor a folder.</source><translation>{0} ist weder Datei noch Ordner.</translation></message></context>
<context><name>errors</name><message><source>{0} is no answer. Say {1} or {2}.</source><translation>{0} ist keine Antwort. Sag {1} oder {2}.</translation></message></context>
<context><name>errors</name><message><source>{0} is no choice. These are: {1}.</source><translation>{0} ist keine Wahl. Es gibt: {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} is no dictionary in dictd's form ({1}).</source><translation>{0} ist kein Wörterbuch in der Form von dictd ({1}).</translation></message></context>
<context><name>errors</name><message><source>{0} is no retention subject: use category:&lt;name&gt; or scope:&lt;scope&gt; with a number of days above 0.</source><translation>{0} ist nichts, wofür es eine Frist gibt: nimm category:&lt;name&gt; oder scope:&lt;scope&gt; mit einer Zahl von Tagen über 0.</translation></message></context>
<context><name>errors</name><message><source>{0} is no session of {1}.</source><translation>{0} ist keine Sitzung von {1}.</translation></message></context>
<context><name>errors</name><message><source>{0} is not a Keepsake vault. Nothing was changed; name another file with --vault.</source><translation>{0} ist kein Keepsake-Tresor. Nichts wurde geändert; nenne mit --vault eine andere Datei.</translation></message></context>
<context><name>errors</name><message><source>{0} is not a mirrored folder. See keepsake mirror list.</source><translation>{0} ist kein gespiegelter Ordner. Siehe keepsake mirror list.</translation></message></context>
<context><name>errors</name><message><source>{0} is not a regular file; name another with --vault.</source><translation>{0} ist keine gewöhnliche Datei; nenne mit --vault eine andere.</translation></message></context>
<context><name>errors</name><message><source>{0} is not a time like 2026-04-30T16:20:00Z</source><translation>{0} ist keine Zeit wie 2026-04-30T16:20:00Z</translation></message></context>
<context><name>errors</name><message><source>{0} is not a zip that can be read ({1}). Export or download it once more.</source><translation>{0} ist kein Zip, das sich lesen lässt ({1}). Exportiere oder lade es noch einmal.</translation></message></context>
<context><name>errors</name><message><source>{0} is not an address like https://api.example.com/v1.</source><translation>{0} ist keine Adresse wie https://api.example.com/v1.</translation></message></context>
<context><name>errors</name><message><source>{0} is not encrypted.</source><translation>{0} ist nicht verschlüsselt.</translation></message></context>
<context><name>errors</name><message><source>{0} is not encrypted; open it without a key.</source><translation>{0} ist nicht verschlüsselt; öffne es ohne Schlüssel.</translation></message></context>
<context><name>errors</name><message><source>{0} is not in the form it was said to be in; nothing was changed.</source><translation>{0} hat nicht die Form, die es haben sollte; nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>{0} is not kept in step.</source><translation>{0} wird nicht im Gleichschritt gehalten.</translation></message></context>
<context><name>errors</name><message><source>{0} is not there any more.</source><translation>{0} ist nicht mehr da.</translation></message></context>
<context><name>errors</name><message><source>{0} is not told `{1}`.</source><translation>{0} erfährt „{1}“ nicht.</translation></message></context>
<context><name>errors</name><message><source>{0} is of an older format and cannot be upgraded there. {1}</source><translation>{0} hat ein älteres Format und lässt sich dort nicht umstellen. {1}</translation></message></context>
<context><name>errors</name><message><source>{0} is one of {1}, not {2}.</source><translation>{0} ist eines von {1}, nicht {2}.</translation></message></context>
<context><name>errors</name><message><source>{0} is open in another program. Close it, then try again.</source><translation>{0} ist in einem anderen Programm offen. Schließ es, dann versuch es noch einmal.</translation></message></context>
<context><name>errors</name><message><source>{0} is open in {1}. Close the window, end keepsake serve and the clients that use it, then try again; nothing was changed.</source><translation>{0} ist offen in {1}. Schließ das Fenster, beende keepsake serve und die Programme, die es nutzen, dann versuch es noch einmal; nichts wurde geändert.</translation></message></context>
<context><name>errors</name><message><source>{0} is told `{1}` and not `{2}`.</source><translation>{0} erfährt „{1}“ und „{2}“ nicht.</translation></message></context>
<context><name>errors</name><message><source>{0} is too much to mirror; choose a folder of its own.</source><translation>{0} ist zu viel zum Spiegeln; wähle einen eigenen Ordner.</translation></message></context>
<context><name>errors</name><message><source>{0} is true only from {1}; say a later day, or forget it if it was never true.</source><translation>{0} ist erst ab {1} wahr; sag einen späteren Tag, oder vergiss es, wenn es nie wahr war.</translation></message></context>
<context><name>errors</name><message><source>{0} is true or false.</source><translation>{0} ist true oder false.</translation></message></context>
<context><name>errors</name><message><source>{0} is where nothing can be written, so it can be read and not changed. Copy it to another place to change it.</source><translation>{0} liegt, wo sich nichts schreiben lässt, und lässt sich lesen, aber nicht ändern. Kopiere es woandershin, um es zu ändern.</translation></message></context>
<context><name>errors</name><message><source>{0} leads outside {1}.</source><translation>{0} führt aus {1} hinaus.</translation></message></context>
<context><name>errors</name><message><source>{0} makes no agent id; use letters and digits.</source><translation>{0} ergibt keine Kennung; nimm Buchstaben und Ziffern.</translation></message></context>
<context><name>errors</name><message><source>{0} may read `{1}` in {2}.</source><translation>{0} darf „{1}“ in {2} lesen.</translation></message></context>
<context><name>errors</name><message><source>{0} may read nothing of the kind.</source><translation>{0} darf nichts davon lesen.</translation></message></context>
<context><name>errors</name><message><source>{0} says nothing about you that Keepsake understands. Ask the assistant what it knows about you, and paste its answer.</source><translation>{0} sagt nichts über dich, was Keepsake versteht. Frage den Assistenten, was er über dich weiß, und füge seine Antwort ein.</translation></message></context>
<context><name>errors</name><message><source>{0} sees no `{1}`.</source><translation>{0} sieht kein „{1}“.</translation></message></context>
<context><name>errors</name><message><source>{0} takes {1}, not {2}.</source><translation>{0} nimmt {1}, nicht {2}.</translation></message></context>
<context><name>errors</name><message><source>{0} unpacks to more than Keepsake reads at once; import a part of it.</source><translation>{0} ist entpackt mehr, als Keepsake auf einmal liest; importiere einen Teil davon.</translation></message></context>
<context><name>errors</name><message><source>{0} was changed again since ({1}); undo the newer change first.</source><translation>{0} wurde seither wieder geändert ({1}); mach zuerst die neuere Änderung rückgängig.</translation></message></context>
<context><name>errors</name><message><source>{0} was changed meanwhile; nothing was written.</source><translation>{0} wurde inzwischen geändert; nichts wurde geschrieben.</translation></message></context>
<context><name>errors</name><message><source>{0} was replaced, and the log of the file that was there before cannot be moved away ({1}). Give yourself write permission there.</source><translation>{0} wurde ersetzt, und das Protokoll der früheren Datei lässt sich nicht wegräumen ({1}). Gib dir dort Schreibrechte.</translation></message></context>
<context><name>errors</name><message><source>{0} was written meanwhile.</source><translation>{0} wurde inzwischen geschrieben.</translation></message></context>
<context><name>errors</name><message><source>{0} {1} was changed outside its transaction</source><translation>{0} {1} wurde außerhalb seiner Transaktion geändert</translation></message></context>
<context><name>settings</name><message><source>A channel is learned from when this many messages wait.</source><translation>Aus einem Kanal wird gelernt, wenn so viele Nachrichten warten.</translation></message></context>
<context><name>settings</name><message><source>A conversation quiet for this long is learned from like one that ended.</source><translation>Aus einem so lange ruhigen Gespräch wird gelernt wie aus einem beendeten.</translation></message></context>
<context><name>settings</name><message><source>A daily entry expires this long after its last write.</source><translation>Ein Tageseintrag läuft so lange nach dem letzten Schreiben ab.</translation></message></context>
<context><name>settings</name><message><source>A text with a private key in it. Ask before it is kept, redact it, let writes of agents and files wait in the inbox (review), or allow it.</source><translation>Ein Text mit einem privaten Schlüssel darin. Fragen, bevor es behalten wird, schwärzen, bei Agenten und Dateien im Eingang warten lassen (prüfen) oder erlauben.</translation></message></context>
<context><name>settings</name><message><source>A value that is named a password, or stands in an address. Ask before it is kept, redact it, let writes of agents and files wait in the inbox (review), or allow it.</source><translation>Ein Wert, der als Passwort bezeichnet ist oder in einer Adresse steht. Fragen, bevor es behalten wird, schwärzen, bei Agenten und Dateien im Eingang warten lassen (prüfen) oder erlauben.</translation></message></context>
<context><name>settings</name><message><source>API</source><translation>API</translation></message></context>
<context><name>settings</name><message><source>API keys, access tokens, signed tokens, webhooks. Ask before it is kept, redact it, let writes of agents and files wait in the inbox (review), or allow it.</source><translation>API-Schlüssel, Zugangstoken, signierte Token, Webhooks. Fragen, bevor es behalten wird, schwärzen, bei Agenten und Dateien im Eingang warten lassen (prüfen) oder erlauben.</translation></message></context>
<context><name>settings</name><message><source>After that one a month is kept.</source><translation>Danach bleibt eine je Monat.</translation></message></context>
<context><name>settings</name><message><source>After that one a week is kept.</source><translation>Danach bleibt eine je Woche.</translation></message></context>
<context><name>settings</name><message><source>Agents reach memory at an address of this machine while the window is open.</source><translation>Solange das Fenster offen ist, erreichen Agenten die Erinnerungen unter einer Adresse dieses Rechners.</translation></message></context>
<context><name>settings</name><message><source>An OpenAI-compatible base address like http://127.0.0.1:11434/v1. Empty: the built-in writer, and nothing is sent anywhere.</source><translation>Eine OpenAI-kompatible Basisadresse wie http://127.0.0.1:11434/v1. Leer: der eingebaute Schreiber, und nichts wird gesendet.</translation></message></context>
<context><name>settings</name><message><source>Answer coding agents for (minutes)</source><translation>Programmieragenten antworten für (Minuten)</translation></message></context>
<context><name>settings</name><message><source>Appearance</source><translation>Aussehen</translation></message></context>
<context><name>settings</name><message><source>Archival block (characters)</source><translation>Archivblock (Zeichen)</translation></message></context>
<context><name>settings</name><message><source>Archival lines</source><translation>Archivzeilen</translation></message></context>
<context><name>settings</name><message><source>As the endpoint calls it.</source><translation>Wie der Endpunkt es nennt.</translation></message></context>
<context><name>settings</name><message><source>Back up every (hours)</source><translation>Sichern alle (Stunden)</translation></message></context>
<context><name>settings</name><message><source>Blocks</source><translation>Blöcke</translation></message></context>
<context><name>settings</name><message><source>Calls per agent and minute</source><translation>Aufrufe je Agent und Minute</translation></message></context>
<context><name>settings</name><message><source>Card numbers</source><translation>Kartennummern</translation></message></context>
<context><name>settings</name><message><source>Channel batch (messages)</source><translation>Kanalstapel (Nachrichten)</translation></message></context>
<context><name>settings</name><message><source>Channel wait (minutes)</source><translation>Kanalwartezeit (Minuten)</translation></message></context>
<context><name>settings</name><message><source>Close to the tray</source><translation>Beim Schließen in den Infobereich</translation></message></context>
<context><name>settings</name><message><source>Closing the window keeps the API running.</source><translation>Beim Schließen des Fensters läuft die API weiter.</translation></message></context>
<context><name>settings</name><message><source>Compare word by word up to (memories)</source><translation>Wort für Wort vergleichen bis (Erinnerungen)</translation></message></context>
<context><name>settings</name><message><source>Conversations</source><translation>Gespräche</translation></message></context>
<context><name>settings</name><message><source>Core block (characters)</source><translation>Kernblock (Zeichen)</translation></message></context>
<context><name>settings</name><message><source>Core block (entries)</source><translation>Kernblock (Einträge)</translation></message></context>
<context><name>settings</name><message><source>Core memories an agent may share</source><translation>Kernerinnerungen, die ein Agent teilen darf</translation></message></context>
<context><name>settings</name><message><source>Daily backups kept</source><translation>Tägliche Sicherungen</translation></message></context>
<context><name>settings</name><message><source>Days per category or scope, on top of the lifetimes above, as JSON: {"category:event": 90, "scope:agent:claude": 365}. Core and workspace memory stay.</source><translation>Tage je Kategorie oder Bereich, über die Zeiten oben hinaus, als JSON: {"category:event": 90, "scope:agent:claude": 365}. Kern und Arbeitsbereiche bleiben.</translation></message></context>
<context><name>settings</name><message><source>Embedding model</source><translation>Einbettungsmodell</translation></message></context>
<context><name>settings</name><message><source>Empty: the bundled all-MiniLM-L6-v2. Or any sentence-transformers model by name or folder, with the extra keepsake-desk[models].</source><translation>Leer: das mitgelieferte all-MiniLM-L6-v2. Oder ein sentence-transformers-Modell nach Name oder Ordner, mit dem Zusatz keepsake-desk[models].</translation></message></context>
<context><name>settings</name><message><source>Entries less important than this go by age.</source><translation>Weniger wichtige Einträge gehen nach Alter.</translation></message></context>
<context><name>settings</name><message><source>Entries per agent</source><translation>Einträge je Agent</translation></message></context>
<context><name>settings</name><message><source>Font</source><translation>Schrift</translation></message></context>
<context><name>settings</name><message><source>How long a helper process stays after a coding agent's last call, when neither the window nor keepsake serve is open; 0 ends it as soon as what was said is kept.</source><translation>Wie lange ein Hilfsprozess nach dem letzten Aufruf eines Programmieragenten bleibt, wenn weder das Fenster noch keepsake serve offen ist; 0 beendet ihn, sobald das Gesagte aufbewahrt ist.</translation></message></context>
<context><name>settings</name><message><source>How long you can look up what an agent asked and was told.</source><translation>Wie lange du nachsehen kannst, was ein Agent fragte und erfuhr.</translation></message></context>
<context><name>settings</name><message><source>How many core memories an agent may place in your memory, or in one workspace, without your review. Your own come first in hydration.</source><translation>Wie viele Kernerinnerungen ein Agent ohne deine Prüfung bei dir oder in einem Arbeitsbereich ablegen darf. Deine eigenen kommen beim Start zuerst.</translation></message></context>
<context><name>settings</name><message><source>How many memories one recall or pre-load may bring.</source><translation>Wie viele Erinnerungen ein Abruf oder Vorladen bringen darf.</translation></message></context>
<context><name>settings</name><message><source>How many of an agent's writes may wait in the inbox; more are refused until you decide.</source><translation>Wie viele Schreibvorgänge eines Agenten im Eingang warten dürfen; weitere werden abgelehnt, bis du entscheidest.</translation></message></context>
<context><name>settings</name><message><source>How many the view Still true? asks you about each day. 0: none.</source><translation>Nach wie vielen die Ansicht Noch wahr? dich jeden Tag fragt. 0: nach keiner.</translation></message></context>
<context><name>settings</name><message><source>How much an agent is told at a run's start.</source><translation>Wie viel ein Agent zu Beginn eines Laufs erfährt.</translation></message></context>
<context><name>settings</name><message><source>How much of a conversation is reloaded: its newest whole turns.</source><translation>Wie viel eines Gesprächs nachgeladen wird: die neuesten ganzen Beiträge.</translation></message></context>
<context><name>settings</name><message><source>Hydration</source><translation>Was Agenten erfahren</translation></message></context>
<context><name>settings</name><message><source>Hydration budget (bytes)</source><translation>Anfangsbudget (Byte)</translation></message></context>
<context><name>settings</name><message><source>Keep agents' calls (days)</source><translation>Aufrufe der Agenten aufheben (Tage)</translation></message></context>
<context><name>settings</name><message><source>Keep channel messages (days)</source><translation>Kanalnachrichten aufheben (Tage)</translation></message></context>
<context><name>settings</name><message><source>Keep daily entries (hours)</source><translation>Tageseinträge behalten (Stunden)</translation></message></context>
<context><name>settings</name><message><source>Keep old versions (days)</source><translation>Alte Fassungen aufheben (Tage)</translation></message></context>
<context><name>settings</name><message><source>Keep the trash (days)</source><translation>Papierkorb aufheben (Tage)</translation></message></context>
<context><name>settings</name><message><source>Keep turns (days)</source><translation>Beiträge aufheben (Tage)</translation></message></context>
<context><name>settings</name><message><source>Keep unimportant entries (days)</source><translation>Unwichtiges behalten (Tage)</translation></message></context>
<context><name>settings</name><message><source>Key for quick capture</source><translation>Taste für „Schnell notieren“</translation></message></context>
<context><name>settings</name><message><source>Keys and tokens</source><translation>Schlüssel und Token</translation></message></context>
<context><name>settings</name><message><source>Language</source><translation>Sprache</translation></message></context>
<context><name>settings</name><message><source>Learn after quiet (minutes)</source><translation>Lernen nach Ruhe (Minuten)</translation></message></context>
<context><name>settings</name><message><source>Learn from tool output</source><translation>Aus Werkzeugausgaben lernen</translation></message></context>
<context><name>settings</name><message><source>Least relevance for pre-load</source><translation>Mindestrelevanz beim Vorladen</translation></message></context>
<context><name>settings</name><message><source>Lifetimes</source><translation>Lebensdauern</translation></message></context>
<context><name>settings</name><message><source>Light, dark, or as the system says.</source><translation>Hell, dunkel oder wie das System.</translation></message></context>
<context><name>settings</name><message><source>Longest wait for one answer; after that the built-in writer steps in.</source><translation>Längste Wartezeit auf eine Antwort; danach springt der eingebaute Schreiber ein.</translation></message></context>
<context><name>settings</name><message><source>Memories to confirm a day</source><translation>Erinnerungen zum Bestätigen am Tag</translation></message></context>
<context><name>settings</name><message><source>Memories with such a tag are kept and never told: health: *; salary: cloud, cursor. After the tag come agents' ids, cloud for agents that use a cloud model, or * for all.</source><translation>Erinnerungen mit so einem Schlagwort bleiben und werden nie gesagt: health: *; salary: cloud, cursor. Nach dem Schlagwort stehen Namen von Agenten, cloud für Agenten mit einem Cloud-Modell, oder * für alle.</translation></message></context>
<context><name>settings</name><message><source>Monthly backups kept</source><translation>Monatliche Sicherungen</translation></message></context>
<context><name>settings</name><message><source>Nothing is pre-loaded for a message when the best match scores less: from 0 (everything) to 1. At 0.4 about nine in ten messages that memory knows nothing about bring nothing.</source><translation>Zu einer Nachricht wird nichts vorgeladen, wenn der beste Treffer weniger erreicht: von 0 (alles) bis 1. Bei 0,4 bringen etwa neun von zehn Nachrichten, zu denen nichts gemerkt ist, auch nichts.</translation></message></context>
<context><name>settings</name><message><source>Notify me when agents write</source><translation>Melden, wenn Agenten schreiben</translation></message></context>
<context><name>settings</name><message><source>Of the window.</source><translation>Des Fensters.</translation></message></context>
<context><name>settings</name><message><source>Of the window. Empty: the bundled Inter.</source><translation>Des Fensters. Leer: die mitgelieferte Inter.</translation></message></context>
<context><name>settings</name><message><source>Of what you should have been asked about again, agents are told when you last confirmed it: last confirmed 2 years ago.</source><translation>Bei dem, wonach du längst wieder gefragt werden solltest, wird Agenten gesagt, wann du es zuletzt bestätigt hast: „last confirmed 2 years ago“.</translation></message></context>
<context><name>settings</name><message><source>Older lines of the change log keep who and when, not what.</source><translation>Ältere Zeilen des Verlaufs behalten wer und wann, nicht was.</translation></message></context>
<context><name>settings</name><message><source>Older ones are removed.</source><translation>Ältere werden entfernt.</translation></message></context>
<context><name>settings</name><message><source>On 127.0.0.1. 0: any free one.</source><translation>Auf 127.0.0.1. 0: irgendein freier.</translation></message></context>
<context><name>settings</name><message><source>Opens quick capture from any program, while the window runs or is in the tray: Ctrl+Alt+K, Meta+J. On X11 only; elsewhere bind the command keepsake capture in the desktop's own settings. Empty: none.</source><translation>Öffnet „Schnell notieren“ aus jedem Programm, solange das Fenster läuft oder im Infobereich liegt: Ctrl+Alt+K, Meta+J. Nur unter X11; sonst belege in den Einstellungen der Arbeitsumgebung eine Taste mit keepsake capture. Leer: keine.</translation></message></context>
<context><name>settings</name><message><source>Or when the oldest message has waited this long.</source><translation>Oder wenn die älteste so lange gewartet hat.</translation></message></context>
<context><name>settings</name><message><source>Over it the entries unused the longest go to the trash, core ones last. 0: no cap.</source><translation>Darüber kommen die am längsten ungenutzten Einträge in den Papierkorb, Kern zuletzt. 0: keine Grenze.</translation></message></context>
<context><name>settings</name><message><source>Over HTTP: above it an agent is asked to wait. 0: no limit.</source><translation>Über HTTP: Darüber wird ein Agent gebeten zu warten. 0: keine Grenze.</translation></message></context>
<context><name>settings</name><message><source>Passwords</source><translation>Passwörter</translation></message></context>
<context><name>settings</name><message><source>Payment cards, told by their checksum. Ask before it is kept, redact it, let writes of agents and files wait in the inbox (review), or allow it.</source><translation>Zahlungskarten, an ihrer Prüfziffer erkannt. Fragen, bevor es behalten wird, schwärzen, bei Agenten und Dateien im Eingang warten lassen (prüfen) oder erlauben.</translation></message></context>
<context><name>settings</name><message><source>Port</source><translation>Port</translation></message></context>
<context><name>settings</name><message><source>Private keys</source><translation>Private Schlüssel</translation></message></context>
<context><name>settings</name><message><source>Proposals per agent</source><translation>Vorschläge je Agent</translation></message></context>
<context><name>settings</name><message><source>Quietly and once for several: what agents wrote or proposed, with Undo and Review.</source><translation>Leise und gesammelt: was Agenten geschrieben oder vorgeschlagen haben, mit Rückgängig und Prüfen.</translation></message></context>
<context><name>settings</name><message><source>Recall budget</source><translation>Abrufbudget</translation></message></context>
<context><name>settings</name><message><source>Reloaded turns (bytes)</source><translation>Nachgeladene Beiträge (Byte)</translation></message></context>
<context><name>settings</name><message><source>Search</source><translation>Suchen</translation></message></context>
<context><name>settings</name><message><source>Secrets</source><translation>Geheimnisse</translation></message></context>
<context><name>settings</name><message><source>Serve agents on this machine</source><translation>Agenten auf diesem Rechner bedienen</translation></message></context>
<context><name>settings</name><message><source>Session summary (characters)</source><translation>Sitzungszusammenfassung (Zeichen)</translation></message></context>
<context><name>settings</name><message><source>Summary (characters)</source><translation>Zusammenfassung (Zeichen)</translation></message></context>
<context><name>settings</name><message><source>Tags that are never told</source><translation>Schlagwörter, die nie gesagt werden</translation></message></context>
<context><name>settings</name><message><source>Tell how long ago it was confirmed</source><translation>Sagen, wie lange die Bestätigung her ist</translation></message></context>
<context><name>settings</name><message><source>The most a core block holds.</source><translation>So viel fasst ein Kernblock.</translation></message></context>
<context><name>settings</name><message><source>The most a rolling session summary holds.</source><translation>So viel fasst die laufende Sitzungszusammenfassung.</translation></message></context>
<context><name>settings</name><message><source>The most a summary holds.</source><translation>So viel fasst eine Zusammenfassung.</translation></message></context>
<context><name>settings</name><message><source>The most an archival block holds.</source><translation>So viel fasst ein Archivblock.</translation></message></context>
<context><name>settings</name><message><source>The most archival lines injected for a message.</source><translation>Höchstzahl der Archivzeilen zu einer Nachricht.</translation></message></context>
<context><name>settings</name><message><source>The most list items a core block holds.</source><translation>So viele Listenpunkte fasst ein Kernblock.</translation></message></context>
<context><name>settings</name><message><source>They stay this long as the origin of what was learned. 0: for ever.</source><translation>Sie bleiben so lange als Herkunft des Gelernten. 0: für immer.</translation></message></context>
<context><name>settings</name><message><source>Unimportant entries older than this go to the trash, unless core or of a workspace.</source><translation>Unwichtige Einträge, die älter sind, kommen in den Papierkorb, außer Kern und denen eines Arbeitsbereichs.</translation></message></context>
<context><name>settings</name><message><source>Unimportant means below</source><translation>Unwichtig heißt unter</translation></message></context>
<context><name>settings</name><message><source>Vault</source><translation>Tresor</translation></message></context>
<context><name>settings</name><message><source>Weekly backups kept</source><translation>Wöchentliche Sicherungen</translation></message></context>
<context><name>settings</name><message><source>What a search finds is compared word by word as well, for about 2 kB a memory. Vaults with more memories go without. 0: never.</source><translation>Was eine Suche findet, wird auch Wort für Wort verglichen, für etwa 2 kB je Erinnerung. Tresore mit mehr Erinnerungen kommen ohne aus. 0: nie.</translation></message></context>
<context><name>settings</name><message><source>What it may be given at most, about; after that the built-in writer steps in until midnight, UTC.</source><translation>Was es ungefähr höchstens bekommt; danach springt bis Mitternacht (UTC) der eingebaute Schreiber ein.</translation></message></context>
<context><name>settings</name><message><source>What the tools of coding agents put out (files, commands, pages) is kept with their sessions and learned from, too, from now on. Never what tools of memory brought.</source><translation>Was die Werkzeuge von Programmieragenten ausgeben (Dateien, Befehle, Seiten), wird von nun an mit ihren Sitzungen behalten und auch daraus gelernt. Nie, was Werkzeuge des Gedächtnisses brachten.</translation></message></context>
<context><name>settings</name><message><source>What was forgotten is erased for good after this.</source><translation>Vergessenes wird danach endgültig gelöscht.</translation></message></context>
<context><name>settings</name><message><source>What was said is removed after this; what was learned stays. 0: for ever.</source><translation>Gesagtes wird danach entfernt; Gelerntes bleibt. 0: für immer.</translation></message></context>
<context><name>settings</name><message><source>When something changed since the last backup. 0: never by itself.</source><translation>Wenn sich seit der letzten Sicherung etwas geändert hat. 0: nie von selbst.</translation></message></context>
<context><name>settings</name><message><source>Window</source><translation>Fenster</translation></message></context>
<context><name>settings</name><message><source>Writing model</source><translation>Schreibmodell</translation></message></context>
<context><name>settings</name><message><source>Writing model: address</source><translation>Schreibmodell: Adresse</translation></message></context>
<context><name>settings</name><message><source>Writing model: name</source><translation>Schreibmodell: Name</translation></message></context>
<context><name>settings</name><message><source>Writing model: patience (seconds)</source><translation>Schreibmodell: Geduld (Sekunden)</translation></message></context>
<context><name>settings</name><message><source>Writing model: tokens a day</source><translation>Schreibmodell: Token pro Tag</translation></message></context>
<context><name>settings</name><message><source>Your own limits (days)</source><translation>Eigene Grenzen (Tage)</translation></message></context>
<context><name>settings</name><message><source>allow</source><translation>erlauben</translation></message></context>
<context><name>settings</name><message><source>ask</source><translation>fragen</translation></message></context>
<context><name>settings</name><message><source>dark</source><translation>dunkel</translation></message></context>
<context><name>settings</name><message><source>de</source><translation>Deutsch</translation></message></context>
<context><name>settings</name><message><source>en</source><translation>Englisch</translation></message></context>
<context><name>settings</name><message><source>light</source><translation>hell</translation></message></context>
<context><name>settings</name><message><source>redact</source><translation>schwärzen</translation></message></context>
<context><name>settings</name><message><source>review</source><translation>prüfen</translation></message></context>
<context><name>settings</name><message><source>system</source><translation>System</translation></message></context>
<context><name>ui</name><message numerus="yes"><source> %Ln other files are left alone.</source><translation><numerusform> %Ln andere Datei bleibt unberührt.</numerusform><numerusform> %Ln andere Dateien bleiben unberührt.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source> and %Ln more</source><translation><numerusform> und %Ln weitere</numerusform><numerusform> und %Ln weitere</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln actions done again</source><translation><numerusform>%Ln Handlung wiederholt</numerusform><numerusform>%Ln Handlungen wiederholt</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln actions undone</source><translation><numerusform>%Ln Handlung rückgängig gemacht</numerusform><numerusform>%Ln Handlungen rückgängig gemacht</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln agents connected</source><translation><numerusform>%Ln Agent verbunden</numerusform><numerusform>%Ln Agenten verbunden</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln being read for search by meaning</source><translation><numerusform>%Ln wird für die Suche nach Bedeutung gelesen</numerusform><numerusform>%Ln werden für die Suche nach Bedeutung gelesen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln blocks</source><translation><numerusform>%Ln Block</numerusform><numerusform>%Ln Blöcke</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln calls</source><translation><numerusform>%Ln Aufruf</numerusform><numerusform>%Ln Aufrufe</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln calls told more than the log names</source><translation><numerusform>%Ln Aufruf nannte mehr, als das Protokoll festhält</numerusform><numerusform>%Ln Aufrufe nannten mehr, als das Protokoll festhält</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln changed on both sides</source><translation><numerusform>%Ln auf beiden Seiten geändert</numerusform><numerusform>%Ln auf beiden Seiten geändert</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln conflicts to settle</source><translation><numerusform>%Ln Konflikt zu klären</numerusform><numerusform>%Ln Konflikte zu klären</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln conversations</source><translation><numerusform>%Ln Gespräch</numerusform><numerusform>%Ln Gespräche</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln corrections</source><translation><numerusform>%Ln Berichtigung</numerusform><numerusform>%Ln Berichtigungen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln days</source><translation><numerusform>%Ln Tag</numerusform><numerusform>%Ln Tage</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln days ago</source><translation><numerusform>vor %Ln Tag</numerusform><numerusform>vor %Ln Tagen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln days left</source><translation><numerusform>noch %Ln Tag</numerusform><numerusform>noch %Ln Tage</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln expectations are red.</source><translation><numerusform>%Ln Erwartung ist rot.</numerusform><numerusform>%Ln Erwartungen sind rot.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln expectations, all as expected.</source><translation><numerusform>%Ln Erwartung, wie erwartet.</numerusform><numerusform>%Ln Erwartungen, alles wie erwartet.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln facts</source><translation><numerusform>%Ln Tatsache</numerusform><numerusform>%Ln Tatsachen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln files changed</source><translation><numerusform>%Ln Datei geändert</numerusform><numerusform>%Ln Dateien geändert</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln files will still say it.</source><translation><numerusform>In %Ln Datei wird es noch stehen.</numerusform><numerusform>In %Ln Dateien wird es noch stehen.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln left out</source><translation><numerusform>%Ln weggelassen</numerusform><numerusform>%Ln weggelassen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln left today</source><translation><numerusform>heute noch %Ln</numerusform><numerusform>heute noch %Ln</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln lines</source><translation><numerusform>%Ln Zeile</numerusform><numerusform>%Ln Zeilen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln memories</source><translation><numerusform>%Ln Erinnerung</numerusform><numerusform>%Ln Erinnerungen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln notes</source><translation><numerusform>%Ln Notiz</numerusform><numerusform>%Ln Notizen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln pieces of it, which were too many</source><translation><numerusform>%Ln Stück davon, das zu viel war</numerusform><numerusform>%Ln Stücke davon, die zu viele waren</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln places</source><translation><numerusform>%Ln Stelle</numerusform><numerusform>%Ln Stellen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln proposals</source><translation><numerusform>%Ln Vorschlag</numerusform><numerusform>%Ln Vorschläge</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln proposals of {agent}</source><translation><numerusform>%Ln Vorschlag von {agent}</numerusform><numerusform>%Ln Vorschläge von {agent}</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln selected</source><translation><numerusform>%Ln ausgewählt</numerusform><numerusform>%Ln ausgewählt</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln sessions of {client} were found</source><translation><numerusform>%Ln Sitzung von {client} wurde gefunden</numerusform><numerusform>%Ln Sitzungen von {client} wurden gefunden</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln texts are too short to be looked for</source><translation><numerusform>%Ln Text ist zu kurz, um gesucht zu werden</numerusform><numerusform>%Ln Texte sind zu kurz, um gesucht zu werden</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln things of then are not kept any more.</source><translation><numerusform>%Ln Ding von damals ist nicht mehr da.</numerusform><numerusform>%Ln Dinge von damals sind nicht mehr da.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln times</source><translation><numerusform>%Ln-mal</numerusform><numerusform>%Ln-mal</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln versions</source><translation><numerusform>%Ln Fassung</numerusform><numerusform>%Ln Fassungen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln wait to be embedded.</source><translation><numerusform>%Ln wartet auf Einbettung.</numerusform><numerusform>%Ln warten auf Einbettung.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln words were added.</source><translation><numerusform>%Ln Wort ist hinzugekommen.</numerusform><numerusform>%Ln Wörter sind hinzugekommen.</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>%Ln writes in the last 60 days</source><translation><numerusform>%Ln Mal geschrieben in den letzten 60 Tagen</numerusform><numerusform>%Ln Mal geschrieben in den letzten 60 Tagen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>(%Ln more go too.)</source><translation><numerusform>(%Ln weitere auch.)</numerusform><numerusform>(%Ln weitere auch.)</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>, %Ln blocks</source><translation><numerusform>, %Ln Block</numerusform><numerusform>, %Ln Blöcke</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>, %Ln conversations</source><translation><numerusform>, %Ln Gespräch</numerusform><numerusform>, %Ln Gespräche</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>, %Ln kept beside yours</source><translation><numerusform>, %Ln neben deiner behalten</numerusform><numerusform>, %Ln neben deinen behalten</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>, %Ln of them changed</source><translation><numerusform>, davon %Ln geändert</numerusform><numerusform>, davon %Ln geändert</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>; %Ln in the trash to make room</source><translation><numerusform>; %Ln im Papierkorb, um Platz zu schaffen</numerusform><numerusform>; %Ln im Papierkorb, um Platz zu schaffen</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>; %Ln into the trash, since the agent's memory is full</source><translation><numerusform>; %Ln in den Papierkorb, weil das Gedächtnis des Agenten voll ist</numerusform><numerusform>; %Ln in den Papierkorb, weil das Gedächtnis des Agenten voll ist</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>; %Ln need a look of their own</source><translation><numerusform>; %Ln braucht einen eigenen Blick</numerusform><numerusform>; %Ln brauchen einen eigenen Blick</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>; %Ln refused</source><translation><numerusform>; %Ln abgelehnt</numerusform><numerusform>; %Ln abgelehnt</numerusform></translation></message></context>
<context><name>ui</name><message numerus="yes"><source>; %Ln wait for review</source><translation><numerusform>; %Ln wartet auf Prüfung</numerusform><numerusform>; %Ln warten auf Prüfung</numerusform></translation></message></context>
<context><name>ui</name><message><source>A block of short dated lines from past conversations; the next one starts with it.</source><translation>Ein Block kurzer, datierter Zeilen aus früheren Gesprächen; das nächste beginnt damit.</translation></message></context>
<context><name>ui</name><message><source>A block that is not told at the start: an agent looks its lines up when needed.</source><translation>Ein Block, der zu Beginn nicht gesagt wird: Ein Agent schlägt seine Zeilen bei Bedarf nach.</translation></message></context>
<context><name>ui</name><message><source>A block written when a conversation ends, so that the next one can go on from there.</source><translation>Ein Block, der am Ende eines Gesprächs entsteht, damit das nächste dort weitergeht.</translation></message></context>
<context><name>ui</name><message><source>A fact, a preference, an instruction and so on; it helps you find and sort.</source><translation>Eine Tatsache, eine Vorliebe, eine Anweisung und so weiter; hilft beim Finden und Sortieren.</translation></message></context>
<context><name>ui</name><message><source>A few memories a day that you confirm, put right or let go.</source><translation>Einige Erinnerungen am Tag, die du bestätigst, berichtigst oder gehen lässt.</translation></message></context>
<context><name>ui</name><message><source>A folder kept in step</source><translation>Ein abgeglichener Ordner</translation></message></context>
<context><name>ui</name><message><source>A longer text of fixed size that is told before the memories, such as who you are.</source><translation>Ein längerer Text fester Größe, der vor den Erinnerungen gesagt wird, etwa wer du bist.</translation></message></context>
<context><name>ui</name><message><source>A page the agent keeps</source><translation>Eine Seite, die der Agent führt</translation></message></context>
<context><name>ui</name><message><source>A program such as Claude or Cursor that reads this memory and may write to it.</source><translation>Ein Programm wie Claude oder Cursor, das dieses Gedächtnis liest und hineinschreiben darf.</translation></message></context>
<context><name>ui</name><message><source>A shared project</source><translation>Ein gemeinsames Projekt</translation></message></context>
<context><name>ui</name><message><source>A short text your assistants can use later, with who wrote it and when.</source><translation>Ein kurzer Text, den deine Assistenten später nutzen können; dabei steht, von wem er ist und von wann.</translation></message></context>
<context><name>ui</name><message><source>A small model on this machine has read it, so other words find it too.</source><translation>Ein kleines Modell auf diesem Rechner hat sie gelesen, sodass auch andere Worte sie finden.</translation></message></context>
<context><name>ui</name><message><source>About Keepsake</source><translation>Über Keepsake</translation></message></context>
<context><name>ui</name><message><source>About me</source><translation>Über mich</translation></message></context>
<context><name>ui</name><message><source>Activity</source><translation>Aktivität</translation></message></context>
<context><name>ui</name><message><source>Add an agent first: what it is told is tested.</source><translation>Füge zuerst einen Agenten hinzu: Geprüft wird, was er erfährt.</translation></message></context>
<context><name>ui</name><message><source>After a conversation it reads what was said and keeps what is worth keeping.</source><translation>Nach einem Gespräch liest er nach und behält, was sich lohnt.</translation></message></context>
<context><name>ui</name><message><source>After this moment it stays here and is found by questions about then, not told as now.</source><translation>Danach bleibt es hier und wird auf Fragen nach damals gefunden, aber nicht als jetzt gesagt.</translation></message></context>
<context><name>ui</name><message><source>After this moment nobody is told it any more, and it goes to the trash.</source><translation>Danach erfährt sie niemand mehr, und sie kommt in den Papierkorb.</translation></message></context>
<context><name>ui</name><message><source>After this moment you are asked whether it is still true.</source><translation>Danach wirst du gefragt, ob es noch stimmt.</translation></message></context>
<context><name>ui</name><message><source>Agent</source><translation>Agent</translation></message></context>
<context><name>ui</name><message><source>Agents that are never told it: their names, cloud for those with a cloud model, or *.</source><translation>Agenten, denen es nie gesagt wird: ihre Namen, cloud für solche mit einem Cloud-Modell, oder *.</translation></message></context>
<context><name>ui</name><message><source>Agents…</source><translation>Agenten…</translation></message></context>
<context><name>ui</name><message><source>All memories</source><translation>Alle Erinnerungen</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Also the %Ln turns and messages they were learned from</source><translation><numerusform>Auch den %Ln Beitrag, aus dem sie gelernt wurden</numerusform><numerusform>Auch die %Ln Beiträge und Nachrichten, aus denen sie gelernt wurden</numerusform></translation></message></context>
<context><name>ui</name><message><source>Always told</source><translation>Immer gesagt</translation></message></context>
<context><name>ui</name><message><source>An assistant</source><translation>Ein Assistent</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Approved %Ln</source><translation><numerusform>%Ln genehmigt</numerusform><numerusform>%Ln genehmigt</numerusform></translation></message></context>
<context><name>ui</name><message><source>Archival</source><translation>Archiv</translation></message></context>
<context><name>ui</name><message><source>As if it went on with this conversation.</source><translation>Als ginge dieses Gespräch weiter.</translation></message></context>
<context><name>ui</name><message><source>As if the agent worked in this project.</source><translation>Als arbeitete der Agent in diesem Projekt.</translation></message></context>
<context><name>ui</name><message><source>As of</source><translation>Stand</translation></message></context>
<context><name>ui</name><message><source>Ask me again</source><translation>Frag mich wieder</translation></message></context>
<context><name>ui</name><message><source>Assistants, each with the memory of its own.</source><translation>Assistenten, jeder mit seinem eigenen Gedächtnis.</translation></message></context>
<context><name>ui</name><message><source>At most</source><translation>Höchstens</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>At most %Ln questions are left</source><translation><numerusform>Höchstens noch %Ln Frage</numerusform><numerusform>Höchstens noch %Ln Fragen</numerusform></translation></message></context>
<context><name>ui</name><message><source>Backups…</source><translation>Sicherungen…</translation></message></context>
<context><name>ui</name><message><source>Before this moment it did not hold; agents are not told it as true now before then.</source><translation>Davor galt es nicht; vorher wird es keinem Agenten als jetzt wahr gesagt.</translation></message></context>
<context><name>ui</name><message><source>Blocks</source><translation>Blöcke</translation></message></context>
<context><name>ui</name><message><source>Budget</source><translation>Budget</translation></message></context>
<context><name>ui</name><message><source>Can be taken out: tick what you want</source><translation>Kann entfernt werden: Hake an, was du möchtest</translation></message></context>
<context><name>ui</name><message><source>Change category…</source><translation>Kategorie ändern…</translation></message></context>
<context><name>ui</name><message><source>Change importance…</source><translation>Wichtigkeit ändern…</translation></message></context>
<context><name>ui</name><message><source>Change tags…</source><translation>Schlagwörter ändern…</translation></message></context>
<context><name>ui</name><message><source>Changed {what}</source><translation>{what} geändert</translation></message></context>
<context><name>ui</name><message><source>Choose memories in the list first.</source><translation>Zuerst Erinnerungen in der Liste auswählen.</translation></message></context>
<context><name>ui</name><message><source>Clear the search</source><translation>Suche leeren</translation></message></context>
<context><name>ui</name><message><source>Close the window</source><translation>Fenster schließen</translation></message></context>
<context><name>ui</name><message><source>Commands</source><translation>Befehle</translation></message></context>
<context><name>ui</name><message><source>Conflicts</source><translation>Konflikte</translation></message></context>
<context><name>ui</name><message><source>Conversation</source><translation>Gespräch</translation></message></context>
<context><name>ui</name><message><source>Conversations</source><translation>Gespräche</translation></message></context>
<context><name>ui</name><message><source>Copied the key</source><translation>Schlüssel kopiert</translation></message></context>
<context><name>ui</name><message><source>Copied the text</source><translation>Text kopiert</translation></message></context>
<context><name>ui</name><message><source>Copy the key</source><translation>Schlüssel kopieren</translation></message></context>
<context><name>ui</name><message><source>Copy the text</source><translation>Text kopieren</translation></message></context>
<context><name>ui</name><message><source>Core blocks</source><translation>Kernblöcke</translation></message></context>
<context><name>ui</name><message><source>Core is always told first and stays; daily things go away by themselves.</source><translation>Kern wird immer zuerst gesagt und bleibt; Tägliches verschwindet von selbst.</translation></message></context>
<context><name>ui</name><message><source>Corrected {key}</source><translation>{key} berichtigt</translation></message></context>
<context><name>ui</name><message><source>Correct…</source><translation>Berichtigen…</translation></message></context>
<context><name>ui</name><message><source>Dark look</source><translation>Dunkles Aussehen</translation></message></context>
<context><name>ui</name><message><source>Discard the edit</source><translation>Änderung verwerfen</translation></message></context>
<context><name>ui</name><message><source>Discarded what you typed</source><translation>Getipptes verworfen</translation></message></context>
<context><name>ui</name><message><source>Drafts</source><translation>Entwürfe</translation></message></context>
<context><name>ui</name><message><source>Drawing the map…</source><translation>Die Karte wird gezeichnet…</translation></message></context>
<context><name>ui</name><message><source>Duplicate</source><translation>Duplizieren</translation></message></context>
<context><name>ui</name><message><source>Duplicates</source><translation>Doppelte</translation></message></context>
<context><name>ui</name><message><source>Each time you save there, {key} is saved here.</source><translation>Jedes Mal, wenn du dort speicherst, wird {key} hier gespeichert.</translation></message></context>
<context><name>ui</name><message><source>Edit</source><translation>Bearbeiten</translation></message></context>
<context><name>ui</name><message><source>Edit in your own editor</source><translation>Im eigenen Editor bearbeiten</translation></message></context>
<context><name>ui</name><message><source>Edit text</source><translation>Text bearbeiten</translation></message></context>
<context><name>ui</name><message><source>Empty the trash…</source><translation>Papierkorb leeren…</translation></message></context>
<context><name>ui</name><message><source>Encrypt the vault…</source><translation>Tresor verschlüsseln…</translation></message></context>
<context><name>ui</name><message><source>Erase for good…</source><translation>Endgültig löschen…</translation></message></context>
<context><name>ui</name><message><source>Erased {what}. {sentence}</source><translation>{what} gelöscht. {sentence}</translation></message></context>
<context><name>ui</name><message><source>Every memory as a dot; near each other is near in meaning.</source><translation>Jede Erinnerung als Punkt; nah beieinander heißt ähnliche Bedeutung.</translation></message></context>
<context><name>ui</name><message><source>Everything that is remembered, whoever it belongs to.</source><translation>Alles, was behalten wird, wem es auch gehört.</translation></message></context>
<context><name>ui</name><message><source>Expect this…</source><translation>Das erwarten…</translation></message></context>
<context><name>ui</name><message><source>Expected from now on, and not so yet: {why}</source><translation>Ab jetzt erwartet, und noch nicht so: {why}</translation></message></context>
<context><name>ui</name><message><source>Expected from now on.</source><translation>Wird von jetzt an erwartet.</translation></message></context>
<context><name>ui</name><message><source>Expiring soon</source><translation>Läuft bald ab</translation></message></context>
<context><name>ui</name><message><source>Export the selected…</source><translation>Ausgewählte exportieren…</translation></message></context>
<context><name>ui</name><message><source>Export…</source><translation>Exportieren…</translation></message></context>
<context><name>ui</name><message><source>Files</source><translation>Dateien</translation></message></context>
<context><name>ui</name><message><source>Files of coding agents…</source><translation>Dateien von Programmieragenten…</translation></message></context>
<context><name>ui</name><message><source>Follow the system's look</source><translation>Aussehen wie im System</translation></message></context>
<context><name>ui</name><message><source>Forget</source><translation>Vergessen</translation></message></context>
<context><name>ui</name><message><source>From 1 to 10; below 3 it goes after a month, unless it is core.</source><translation>Von 1 bis 10; unter 3 geht sie nach einem Monat, außer sie ist Kern.</translation></message></context>
<context><name>ui</name><message><source>Glossary</source><translation>Glossar</translation></message></context>
<context><name>ui</name><message><source>Go</source><translation>Gehe zu</translation></message></context>
<context><name>ui</name><message><source>Goes with the erase</source><translation>Verschwindet mit dem Löschen</translation></message></context>
<context><name>ui</name><message><source>Help</source><translation>Hilfe</translation></message></context>
<context><name>ui</name><message><source>Help on what is in front</source><translation>Hilfe zu dem, was vorn ist</translation></message></context>
<context><name>ui</name><message><source>History</source><translation>Verlauf</translation></message></context>
<context><name>ui</name><message><source>How agents and files call it; made from the text if you leave it empty.</source><translation>Wie Agenten und Dateien sie nennen; aus dem Text gebildet, wenn du es leer lässt.</translation></message></context>
<context><name>ui</name><message><source>How important</source><translation>Wie wichtig</translation></message></context>
<context><name>ui</name><message><source>How it talks to Keepsake</source><translation>Wie er mit Keepsake spricht</translation></message></context>
<context><name>ui</name><message><source>How long it stays</source><translation>Wie lange</translation></message></context>
<context><name>ui</name><message><source>How many such lines, and how well they must fit.</source><translation>Wie viele solcher Zeilen, und wie gut sie passen müssen.</translation></message></context>
<context><name>ui</name><message><source>How much it is told</source><translation>Wie viel er erfährt</translation></message></context>
<context><name>ui</name><message><source>How much it may be told, to the byte; a try, until you keep it.</source><translation>Wie viel er erfahren darf, aufs Byte; ein Versuch, bis du es behältst.</translation></message></context>
<context><name>ui</name><message><source>How much of a budget its text takes.</source><translation>Wie viel von einem Budget ihr Text braucht.</translation></message></context>
<context><name>ui</name><message><source>How much was written on each day, and by whom.</source><translation>Wie viel an jedem Tag geschrieben wurde, und von wem.</translation></message></context>
<context><name>ui</name><message><source>Import a file…</source><translation>Datei importieren…</translation></message></context>
<context><name>ui</name><message><source>Import a folder…</source><translation>Ordner importieren…</translation></message></context>
<context><name>ui</name><message><source>Import what is in the clipboard…</source><translation>Importieren, was in der Zwischenablage ist…</translation></message></context>
<context><name>ui</name><message><source>It begins {when}</source><translation>Es beginnt {when}</translation></message></context>
<context><name>ui</name><message><source>It has been answering wrong since…</source><translation>Er antwortet falsch seit…</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>It is also taken out of %Ln files.</source><translation><numerusform>Es wird auch aus %Ln Datei entfernt.</numerusform><numerusform>Es wird auch aus %Ln Dateien entfernt.</numerusform></translation></message></context>
<context><name>ui</name><message><source>It is as expected now: there is nothing to look for.</source><translation>Jetzt ist es wie erwartet: Es gibt nichts zu suchen.</translation></message></context>
<context><name>ui</name><message><source>It was changed meanwhile; look at it again first.</source><translation>Sie wurde inzwischen geändert; sieh sie dir zuerst noch einmal an.</translation></message></context>
<context><name>ui</name><message><source>It was changed meanwhile; what you wrote is in the clipboard.</source><translation>Es wurde inzwischen geändert; was du geschrieben hast, ist in der Zwischenablage.</translation></message></context>
<context><name>ui</name><message><source>It was not so at the beginning either. Choose an earlier time.</source><translation>Auch am Anfang war es nicht so. Wähle einen früheren Zeitpunkt.</translation></message></context>
<context><name>ui</name><message><source>Keyboard shortcuts</source><translation>Tastenkürzel</translation></message></context>
<context><name>ui</name><message><source>Keyboard shortcuts…</source><translation>Tastenkürzel…</translation></message></context>
<context><name>ui</name><message><source>Labels</source><translation>Schlagwörter</translation></message></context>
<context><name>ui</name><message><source>Larger type</source><translation>Größere Schrift</translation></message></context>
<context><name>ui</name><message><source>Learn from past sessions</source><translation>Aus früheren Sitzungen lernen</translation></message></context>
<context><name>ui</name><message><source>Learning from past sessions</source><translation>Aus früheren Sitzungen wird gelernt</translation></message></context>
<context><name>ui</name><message><source>Learns by itself</source><translation>Lernt von selbst</translation></message></context>
<context><name>ui</name><message><source>Light look</source><translation>Helles Aussehen</translation></message></context>
<context><name>ui</name><message><source>Links</source><translation>Bezüge</translation></message></context>
<context><name>ui</name><message><source>Load the samples</source><translation>Beispiele laden</translation></message></context>
<context><name>ui</name><message><source>Longer texts of fixed size that agents are told before the memories.</source><translation>Längere Texte fester Größe, die Agenten vor den Erinnerungen erfahren.</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Looked into %Ln files</source><translation><numerusform>In %Ln Datei geschaut</numerusform><numerusform>In %Ln Dateien geschaut</numerusform></translation></message></context>
<context><name>ui</name><message><source>Machines…</source><translation>Rechner…</translation></message></context>
<context><name>ui</name><message><source>Make core</source><translation>Zum Kern machen</translation></message></context>
<context><name>ui</name><message><source>Map</source><translation>Karte</translation></message></context>
<context><name>ui</name><message><source>Memories</source><translation>Erinnerungen</translation></message></context>
<context><name>ui</name><message><source>Memories as notes in a folder; a change on either side reaches the other.</source><translation>Erinnerungen als Notizen in einem Ordner; Änderungen gehen in beide Richtungen.</translation></message></context>
<context><name>ui</name><message><source>Memories of an agent</source><translation>Erinnerungen eines Agenten</translation></message></context>
<context><name>ui</name><message><source>Memories that cannot both be true; say which is.</source><translation>Erinnerungen, die nicht beide wahr sein können; sag, welche es ist.</translation></message></context>
<context><name>ui</name><message><source>Memories that say nearly the same; merge them into one.</source><translation>Erinnerungen, die fast dasselbe sagen; führe sie zusammen.</translation></message></context>
<context><name>ui</name><message><source>Memory</source><translation>Erinnerung</translation></message></context>
<context><name>ui</name><message><source>Memory of the agent {name} alone.</source><translation>Erinnerungen nur des Agenten {name}.</translation></message></context>
<context><name>ui</name><message><source>Memory of the conversation {name} alone.</source><translation>Erinnerungen nur des Gesprächs {name}.</translation></message></context>
<context><name>ui</name><message><source>Memory tests…</source><translation>Gedächtnistests…</translation></message></context>
<context><name>ui</name><message><source>Memory that all agents in the workspace {name} share.</source><translation>Erinnerungen, die alle Agenten im Arbeitsbereich {name} teilen.</translation></message></context>
<context><name>ui</name><message><source>Memory that several agents share, such as one project or one team.</source><translation>Gedächtnis, das mehrere Agenten teilen, etwa ein Projekt oder ein Team.</translation></message></context>
<context><name>ui</name><message><source>Merge the selected…</source><translation>Ausgewählte zusammenführen…</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Merged %Ln memories into {key}</source><translation><numerusform>%Ln Erinnerung in {key} zusammengeführt</numerusform><numerusform>%Ln Erinnerungen in {key} zusammengeführt</numerusform></translation></message></context>
<context><name>ui</name><message><source>Mirror to a folder…</source><translation>In einen Ordner spiegeln…</translation></message></context>
<context><name>ui</name><message><source>Mirrored folders…</source><translation>Gespiegelte Ordner…</translation></message></context>
<context><name>ui</name><message><source>Move all to another scope…</source><translation>Alles in einen anderen Bereich verschieben…</translation></message></context>
<context><name>ui</name><message><source>Move to a scope…</source><translation>In einen Bereich verschieben…</translation></message></context>
<context><name>ui</name><message><source>Never told to</source><translation>Nie gesagt</translation></message></context>
<context><name>ui</name><message><source>New memory</source><translation>Neue Erinnerung</translation></message></context>
<context><name>ui</name><message><source>New memory here</source><translation>Neue Erinnerung hier</translation></message></context>
<context><name>ui</name><message><source>No editor opens text files here; set EDITOR to the one you use.</source><translation>Hier öffnet kein Editor Textdateien; setze EDITOR auf deinen.</translation></message></context>
<context><name>ui</name><message><source>No file that was looked into says it</source><translation>In keiner Datei, die angesehen wurde, steht es</translation></message></context>
<context><name>ui</name><message><source>Nobody, as far as the log of calls goes back</source><translation>Niemand, soweit das Protokoll der Aufrufe zurückreicht</translation></message></context>
<context><name>ui</name><message><source>Normal type</source><translation>Normale Schrift</translation></message></context>
<context><name>ui</name><message><source>Not looked at</source><translation>Nicht angesehen</translation></message></context>
<context><name>ui</name><message><source>Not saved yet</source><translation>Noch nicht gespeichert</translation></message></context>
<context><name>ui</name><message><source>Notes of past conversations</source><translation>Notizen früherer Gespräche</translation></message></context>
<context><name>ui</name><message><source>One file on this machine; nothing is sent anywhere unless you set it up.</source><translation>Eine Datei auf diesem Rechner; nichts wird verschickt, außer du richtest es ein.</translation></message></context>
<context><name>ui</name><message><source>One line that tells an agent when to look this memory up.</source><translation>Eine Zeile, die einem Agenten sagt, wann er hier nachschlagen soll.</translation></message></context>
<context><name>ui</name><message><source>One of its labels: {tag}.</source><translation>Eines ihrer Schlagwörter: {tag}.</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>One of these %Ln changes</source><translation><numerusform>Diese %Ln Änderung</numerusform><numerusform>Eine dieser %Ln Änderungen</numerusform></translation></message></context>
<context><name>ui</name><message><source>One thing to remember</source><translation>Etwas Gemerktes</translation></message></context>
<context><name>ui</name><message><source>Open in its own window</source><translation>In eigenem Fenster öffnen</translation></message></context>
<context><name>ui</name><message><source>Open it</source><translation>Öffnen</translation></message></context>
<context><name>ui</name><message><source>Open or make a vault</source><translation>Tresor öffnen oder anlegen</translation></message></context>
<context><name>ui</name><message><source>Open vault…</source><translation>Tresor öffnen…</translation></message></context>
<context><name>ui</name><message><source>Other ways to look at memory.</source><translation>Andere Blicke auf das Gedächtnis.</translation></message></context>
<context><name>ui</name><message><source>Preview</source><translation>Vorschau</translation></message></context>
<context><name>ui</name><message><source>Projects that several agents share.</source><translation>Projekte, die mehrere Agenten teilen.</translation></message></context>
<context><name>ui</name><message><source>Put the cursor between the two halves first.</source><translation>Setz zuerst den Cursor zwischen die beiden Hälften.</translation></message></context>
<context><name>ui</name><message><source>Quick capture</source><translation>Schnell notieren</translation></message></context>
<context><name>ui</name><message><source>Quit</source><translation>Beenden</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Raise the budget to %Ln bytes</source><translation><numerusform>Budget auf %Ln Byte erhöhen</numerusform><numerusform>Budget auf %Ln Byte erhöhen</numerusform></translation></message></context>
<context><name>ui</name><message><source>Ready for search by meaning</source><translation>Bereit für die Suche nach Bedeutung</translation></message></context>
<context><name>ui</name><message><source>Red since this change: {what}, by {who}.</source><translation>Rot seit dieser Änderung: {what}, von {who}.</translation></message></context>
<context><name>ui</name><message><source>Redo</source><translation>Wiederholen</translation></message></context>
<context><name>ui</name><message><source>Remove the samples…</source><translation>Beispiele entfernen…</translation></message></context>
<context><name>ui</name><message><source>Remove this search</source><translation>Diese Suche entfernen</translation></message></context>
<context><name>ui</name><message><source>Restore from the trash</source><translation>Aus dem Papierkorb holen</translation></message></context>
<context><name>ui</name><message><source>Review</source><translation>Prüfen</translation></message></context>
<context><name>ui</name><message><source>Save</source><translation>Speichern</translation></message></context>
<context><name>ui</name><message><source>Save the selected words as a memory…</source><translation>Die ausgewählten Worte als Erinnerung speichern…</translation></message></context>
<context><name>ui</name><message><source>Save this search…</source><translation>Diese Suche speichern…</translation></message></context>
<context><name>ui</name><message><source>Saved search</source><translation>Gespeicherte Suche</translation></message></context>
<context><name>ui</name><message><source>Saved {key}</source><translation>{key} gespeichert</translation></message></context>
<context><name>ui</name><message><source>Search</source><translation>Suchen</translation></message></context>
<context><name>ui</name><message><source>Searches you saved.</source><translation>Suchen, die du gespeichert hast.</translation></message></context>
<context><name>ui</name><message><source>Searching memory in the middle of a conversation, by words and by meaning.</source><translation>Die Suche im Gedächtnis mitten im Gespräch, nach Worten und nach Bedeutung.</translation></message></context>
<context><name>ui</name><message><source>Select all</source><translation>Alles auswählen</translation></message></context>
<context><name>ui</name><message><source>Select two memories or more to merge them.</source><translation>Wähle mindestens zwei Erinnerungen aus, um sie zusammenzuführen.</translation></message></context>
<context><name>ui</name><message><source>Select words in a conversation first.</source><translation>Wähle zuerst Worte in einem Gespräch aus.</translation></message></context>
<context><name>ui</name><message><source>Selection</source><translation>Auswahl</translation></message></context>
<context><name>ui</name><message><source>Setting · {section}</source><translation>Einstellung · {section}</translation></message></context>
<context><name>ui</name><message><source>Settings…</source><translation>Einstellungen…</translation></message></context>
<context><name>ui</name><message><source>Short name</source><translation>Kurzname</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>Shorten it by %Ln bytes</source><translation><numerusform>Um %Ln Byte kürzen</numerusform><numerusform>Um %Ln Byte kürzen</numerusform></translation></message></context>
<context><name>ui</name><message><source>Show me around</source><translation>Führ mich herum</translation></message></context>
<context><name>ui</name><message><source>Smaller type</source><translation>Kleinere Schrift</translation></message></context>
<context><name>ui</name><message><source>Something to decide</source><translation>Etwas zu entscheiden</translation></message></context>
<context><name>ui</name><message><source>Split at the cursor</source><translation>Am Cursor teilen</translation></message></context>
<context><name>ui</name><message><source>Stays, and the receipt names it</source><translation>Bleibt, und der Beleg nennt es</translation></message></context>
<context><name>ui</name><message><source>Still true, says you</source><translation>Von dir bestätigt</translation></message></context>
<context><name>ui</name><message><source>Still true?</source><translation>Noch wahr?</translation></message></context>
<context><name>ui</name><message><source>Tag</source><translation>Schlagwort</translation></message></context>
<context><name>ui</name><message><source>That moment.</source><translation>Dieser Zeitpunkt.</translation></message></context>
<context><name>ui</name><message><source>The file all this is in</source><translation>Die Datei, in der alles liegt</translation></message></context>
<context><name>ui</name><message><source>The language changes when Keepsake starts again.</source><translation>Die Sprache wechselt beim nächsten Start von Keepsake.</translation></message></context>
<context><name>ui</name><message><source>The names of the tools an agent is offered; standard suits nearly all.</source><translation>Die Namen der Werkzeuge, die ein Agent bekommt; standard passt fast allen.</translation></message></context>
<context><name>ui</name><message><source>The proposal</source><translation>Der Vorschlag</translation></message></context>
<context><name>ui</name><message><source>The room for that text, in bytes; about four bytes are one token of a model.</source><translation>Der Platz für diesen Text, in Byte; etwa vier Byte sind ein Token eines Modells.</translation></message></context>
<context><name>ui</name><message><source>The store room</source><translation>Der Vorrat</translation></message></context>
<context><name>ui</name><message><source>The text an agent gets before you say a word: blocks, core memories, the newest.</source><translation>Der Text, den ein Agent bekommt, bevor du ein Wort sagst: Blöcke, Kern, das Neueste.</translation></message></context>
<context><name>ui</name><message><source>The trash erases it then, for good; until then it can be brought back.</source><translation>Dann löscht der Papierkorb sie endgültig; bis dahin lässt sie sich zurückholen.</translation></message></context>
<context><name>ui</name><message><source>There is no edit to discard in this view.</source><translation>In dieser Ansicht gibt es keine Änderung zu verwerfen.</translation></message></context>
<context><name>ui</name><message><source>There is nothing to save in this view.</source><translation>In dieser Ansicht gibt es nichts zu speichern.</translation></message></context>
<context><name>ui</name><message><source>There is nothing to search in this view.</source><translation>In dieser Ansicht gibt es nichts zu suchen.</translation></message></context>
<context><name>ui</name><message><source>There is nothing to undo in this view.</source><translation>In dieser Ansicht gibt es nichts rückgängig zu machen.</translation></message></context>
<context><name>ui</name><message><source>This memory does not come from a conversation.</source><translation>Diese Erinnerung stammt nicht aus einem Gespräch.</translation></message></context>
<context><name>ui</name><message><source>Tidied away {what}</source><translation>{what} aufgeräumt</translation></message></context>
<context><name>ui</name><message><source>Tidy up now…</source><translation>Jetzt aufräumen…</translation></message></context>
<context><name>ui</name><message><source>Timeline</source><translation>Zeitstrahl</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>To fit, it has to lose %Ln bytes.</source><translation><numerusform>Damit es passt, muss %Ln Byte weg.</numerusform><numerusform>Damit es passt, müssen %Ln Byte weg.</numerusform></translation></message></context>
<context><name>ui</name><message><source>To the editor</source><translation>Zum Editor</translation></message></context>
<context><name>ui</name><message><source>To the list</source><translation>Zur Liste</translation></message></context>
<context><name>ui</name><message><source>To the sidebar</source><translation>Zur Seitenleiste</translation></message></context>
<context><name>ui</name><message><source>To what agents are told</source><translation>Zu dem, was Agenten erfahren</translation></message></context>
<context><name>ui</name><message><source>Trash</source><translation>Papierkorb</translation></message></context>
<context><name>ui</name><message><source>True at</source><translation>Wahr am</translation></message></context>
<context><name>ui</name><message><source>True since</source><translation>Wahr seit</translation></message></context>
<context><name>ui</name><message><source>True until</source><translation>Wahr bis</translation></message></context>
<context><name>ui</name><message><source>Type a search first; then it can be saved.</source><translation>Gib zuerst eine Suche ein; dann lässt sie sich speichern.</translation></message></context>
<context><name>ui</name><message><source>Undo</source><translation>Rückgängig</translation></message></context>
<context><name>ui</name><message><source>Undo the last hour of {who}</source><translation>Die letzte Stunde von {who} rückgängig machen</translation></message></context>
<context><name>ui</name><message><source>Until when</source><translation>Bis wann</translation></message></context>
<context><name>ui</name><message><source>Vault</source><translation>Tresor</translation></message></context>
<context><name>ui</name><message><source>Vaults (*.db)</source><translation>Tresore (*.db)</translation></message></context>
<context><name>ui</name><message><source>View</source><translation>Ansicht</translation></message></context>
<context><name>ui</name><message><source>What agents are told</source><translation>Was Agenten erfahren</translation></message></context>
<context><name>ui</name><message><source>What agents would like to write; you decide.</source><translation>Was Agenten schreiben möchten; du entscheidest.</translation></message></context>
<context><name>ui</name><message><source>What an agent is told at every start, before anything else, as far as it fits.</source><translation>Was ein Agent bei jedem Start zuerst erfährt, soweit es passt.</translation></message></context>
<context><name>ui</name><message><source>What an agent would like to write; nothing happens until you approve it.</source><translation>Was ein Agent schreiben möchte; nichts geschieht, bis du zustimmst.</translation></message></context>
<context><name>ui</name><message><source>What every agent may know: it is about you.</source><translation>Was jeder Agent wissen darf: Es geht um dich.</translation></message></context>
<context><name>ui</name><message><source>What goes away by itself before long.</source><translation>Was bald von selbst verschwindet.</translation></message></context>
<context><name>ui</name><message><source>What is remembered for one conversation only.</source><translation>Was nur für ein Gespräch gemerkt wird.</translation></message></context>
<context><name>ui</name><message><source>What it is</source><translation>Was sie ist</translation></message></context>
<context><name>ui</name><message><source>What it is told at the start</source><translation>Was er zu Beginn erfährt</translation></message></context>
<context><name>ui</name><message><source>What it looks up</source><translation>Was er nachschlägt</translation></message></context>
<context><name>ui</name><message><source>What it may do by itself</source><translation>Was er selbst darf</translation></message></context>
<context><name>ui</name><message><source>What it names, what names it, and what is near in meaning.</source><translation>Was sie nennt, wo sie genannt wird und was Ähnliches bedeutet.</translation></message></context>
<context><name>ui</name><message><source>What it would have been told at an earlier moment.</source><translation>Was er zu einem früheren Zeitpunkt erfahren hätte.</translation></message></context>
<context><name>ui</name><message><source>What may need you.</source><translation>Was dich brauchen könnte.</translation></message></context>
<context><name>ui</name><message><source>What others believe…</source><translation>Was andere glauben…</translation></message></context>
<context><name>ui</name><message><source>What the words of the window mean.</source><translation>Was die Worte des Fensters bedeuten.</translation></message></context>
<context><name>ui</name><message><source>What was believed then about another time: then in March, about April.</source><translation>Was damals über eine andere Zeit geglaubt wurde: im März über den April.</translation></message></context>
<context><name>ui</name><message><source>What was forgotten; it can still be brought back.</source><translation>Was vergessen wurde; noch lässt es sich zurückholen.</translation></message></context>
<context><name>ui</name><message><source>What was said</source><translation>Was gesagt wurde</translation></message></context>
<context><name>ui</name><message><source>What was said so far</source><translation>Was bisher gesagt wurde</translation></message></context>
<context><name>ui</name><message><source>What was said to agents, and what they learned from it.</source><translation>Was zu Agenten gesagt wurde und was sie daraus gelernt haben.</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>What you forget waits here for %Ln days; until then you can bring it back.</source><translation><numerusform>Was du vergisst, wartet hier %Ln Tag; so lange kannst du es zurückholen.</numerusform><numerusform>Was du vergisst, wartet hier %Ln Tage; so lange kannst du es zurückholen.</numerusform></translation></message></context>
<context><name>ui</name><message><source>What you typed and did not save.</source><translation>Was du geschrieben und nicht gespeichert hast.</translation></message></context>
<context><name>ui</name><message><source>What you typed and did not save; agents still get the saved text.</source><translation>Was du geschrieben und nicht gespeichert hast; Agenten bekommen noch den gespeicherten Text.</translation></message></context>
<context><name>ui</name><message><source>When it matters</source><translation>Wann wichtig</translation></message></context>
<context><name>ui</name><message><source>When you last said that it is still true; agents cannot say that.</source><translation>Wann du zuletzt gesagt hast, dass es noch wahr ist; Agenten können das nicht.</translation></message></context>
<context><name>ui</name><message><source>Where did it get that from?…</source><translation>Woher hat er das?…</translation></message></context>
<context><name>ui</name><message><source>Where this was said</source><translation>Wo das gesagt wurde</translation></message></context>
<context><name>ui</name><message><source>Whether it gets lines of its store room with your message.</source><translation>Ob er mit deiner Nachricht Zeilen aus seinem Vorrat bekommt.</translation></message></context>
<context><name>ui</name><message><source>Which agents are told this memory, and why the others are not.</source><translation>Welche Agenten diese Erinnerung erfahren und warum die anderen nicht.</translation></message></context>
<context><name>ui</name><message><source>Which memories speak of one another.</source><translation>Welche Erinnerungen voneinander sprechen.</translation></message></context>
<context><name>ui</name><message><source>Which memory it has</source><translation>Welches Gedächtnis er hat</translation></message></context>
<context><name>ui</name><message><source>Which pages it is told first.</source><translation>Welche Seiten er zuerst erfährt.</translation></message></context>
<context><name>ui</name><message><source>Who may see it: everybody, one agent, everyone in a workspace, or one conversation.</source><translation>Wer sie sieht: alle, ein Agent, alle in einem Arbeitsbereich oder ein Gespräch.</translation></message></context>
<context><name>ui</name><message><source>Who was told</source><translation>Wer es erfahren hat</translation></message></context>
<context><name>ui</name><message><source>Who wrote it: {who}.</source><translation>Geschrieben von {who}.</translation></message></context>
<context><name>ui</name><message><source>Who wrote, changed or forgot what; undo any of it.</source><translation>Wer was geschrieben, geändert oder vergessen hat; alles lässt sich rückgängig machen.</translation></message></context>
<context><name>ui</name><message><source>Whose it is</source><translation>Wem sie gehört</translation></message></context>
<context><name>ui</name><message><source>Why</source><translation>Warum</translation></message></context>
<context><name>ui</name><message><source>Wipe the whole vault…</source><translation>Den ganzen Tresor leeren…</translation></message></context>
<context><name>ui</name><message><source>Wipe…</source><translation>Leeren…</translation></message></context>
<context><name>ui</name><message><source>Words of your own to find it by; type one and press Enter.</source><translation>Eigene Worte, um sie zu finden; schreib eins und drücke die Eingabetaste.</translation></message></context>
<context><name>ui</name><message><source>Working is the conversation at hand, session the notes of past ones, long-term memories.</source><translation>Arbeit ist das laufende Gespräch, Sitzung die Notizen früherer, Langzeit die Erinnerungen.</translation></message></context>
<context><name>ui</name><message><source>Workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>ui</name><message><source>Write at once, only propose so that you decide in Review, or only read.</source><translation>Sofort schreiben, nur vorschlagen, sodass du entscheidest, oder nur lesen.</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>You answered %Ln. Tomorrow there are others.</source><translation><numerusform>Du hast %Ln beantwortet. Morgen gibt es andere.</numerusform><numerusform>Du hast %Ln beantwortet. Morgen gibt es andere.</numerusform></translation></message></context>
<context><name>ui</name><message><source>Your saved search: {query}</source><translation>Deine gespeicherte Suche: {query}</translation></message></context>
<context><name>ui</name><message><source>a block of Keepsake's</source><translation>ein Block von Keepsake</translation></message></context>
<context><name>ui</name><message><source>a database of another program: delete it there</source><translation>die Datenbank eines anderen Programms: lösche es dort</translation></message></context>
<context><name>ui</name><message><source>a mirrored folder</source><translation>ein gespiegelter Ordner</translation></message></context>
<context><name>ui</name><message><source>a session</source><translation>eine Sitzung</translation></message></context>
<context><name>ui</name><message><source>a skill</source><translation>ein Skill</translation></message></context>
<context><name>ui</name><message><source>agent</source><translation>Agent</translation></message></context>
<context><name>ui</name><message><source>agree</source><translation>einig</translation></message></context>
<context><name>ui</name><message><source>an export</source><translation>ein Export</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>and %Ln more left out, further down</source><translation><numerusform>und %Ln weitere ausgelassen, weiter unten</numerusform><numerusform>und %Ln weitere ausgelassen, weiter unten</numerusform></translation></message></context>
<context><name>ui</name><message><source>archival</source><translation>Archiv</translation></message></context>
<context><name>ui</name><message><source>archives are not rewritten: delete it, or export again</source><translation>Archive werden nicht umgeschrieben: lösche es oder exportiere neu</translation></message></context>
<context><name>ui</name><message><source>block</source><translation>Block</translation></message></context>
<context><name>ui</name><message><source>budget</source><translation>Budget</translation></message></context>
<context><name>ui</name><message><source>cannot be read</source><translation>nicht lesbar</translation></message></context>
<context><name>ui</name><message><source>category</source><translation>Kategorie</translation></message></context>
<context><name>ui</name><message><source>confirmed</source><translation>bestätigt</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>conversation {title}, %Ln turns</source><translation><numerusform>Gespräch {title}, %Ln Beitrag</numerusform><numerusform>Gespräch {title}, %Ln Beiträge</numerusform></translation></message></context>
<context><name>ui</name><message><source>core</source><translation>Kern</translation></message></context>
<context><name>ui</name><message><source>dialect</source><translation>Dialekt</translation></message></context>
<context><name>ui</name><message><source>differ</source><translation>verschieden</translation></message></context>
<context><name>ui</name><message><source>draft</source><translation>Entwurf</translation></message></context>
<context><name>ui</name><message><source>embedded</source><translation>eingebettet</translation></message></context>
<context><name>ui</name><message><source>expires</source><translation>Ablauf</translation></message></context>
<context><name>ui</name><message><source>from {first} to {last}</source><translation>von {first} bis {last}</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>goes in %Ln days</source><translation><numerusform>endet in %Ln Tag</numerusform><numerusform>endet in %Ln Tagen</numerusform></translation></message></context>
<context><name>ui</name><message><source>hook</source><translation>Anlass</translation></message></context>
<context><name>ui</name><message><source>hydration</source><translation>Startwissen</translation></message></context>
<context><name>ui</name><message><source>importance</source><translation>Wichtigkeit</translation></message></context>
<context><name>ui</name><message><source>it has another name on this disk (a hard link)</source><translation>hat einen zweiten Namen auf diesem Datenträger (harter Link)</translation></message></context>
<context><name>ui</name><message><source>its folder cannot be written</source><translation>in den Ordner kann nicht geschrieben werden</translation></message></context>
<context><name>ui</name><message><source>key</source><translation>Schlüssel</translation></message></context>
<context><name>ui</name><message><source>kind</source><translation>Art</translation></message></context>
<context><name>ui</name><message><source>layers</source><translation>Schichten</translation></message></context>
<context><name>ui</name><message><source>learns asleep</source><translation>lernt im Schlaf</translation></message></context>
<context><name>ui</name><message><source>left by a hook, not taken in yet</source><translation>von einem Hook hinterlassen, noch nicht übernommen</translation></message></context>
<context><name>ui</name><message><source>line {lines}</source><translation>Zeile {lines}</translation></message></context>
<context><name>ui</name><message><source>lines {lines}</source><translation>Zeilen {lines}</translation></message></context>
<context><name>ui</name><message><source>memory</source><translation>Erinnerung</translation></message></context>
<context><name>ui</name><message><source>mirror</source><translation>Spiegel</translation></message></context>
<context><name>ui</name><message><source>muted</source><translation>stumm</translation></message></context>
<context><name>ui</name><message><source>muted_for</source><translation>muted_for</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>of %Ln changes</source><translation><numerusform>von %Ln Änderung</numerusform><numerusform>von %Ln Änderungen</numerusform></translation></message></context>
<context><name>ui</name><message><source>only they</source><translation>nur sie</translation></message></context>
<context><name>ui</name><message><source>only you</source><translation>nur du</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>past versions of %Ln blocks</source><translation><numerusform>frühere Fassungen von %Ln Block</numerusform><numerusform>frühere Fassungen von %Ln Blöcken</numerusform></translation></message></context>
<context><name>ui</name><message><source>proposal</source><translation>Vorschlag</translation></message></context>
<context><name>ui</name><message><source>recall</source><translation>Abruf</translation></message></context>
<context><name>ui</name><message><source>scope</source><translation>Bereich</translation></message></context>
<context><name>ui</name><message><source>session</source><translation>Sitzung</translation></message></context>
<context><name>ui</name><message><source>stale_after</source><translation>stale_after</translation></message></context>
<context><name>ui</name><message><source>summary</source><translation>Zusammenfassung</translation></message></context>
<context><name>ui</name><message><source>tags</source><translation>Tags</translation></message></context>
<context><name>ui</name><message><source>there was no time left</source><translation>die Zeit reichte nicht</translation></message></context>
<context><name>ui</name><message><source>too large</source><translation>zu groß</translation></message></context>
<context><name>ui</name><message><source>true_from</source><translation>true_from</translation></message></context>
<context><name>ui</name><message><source>true_until</source><translation>true_until</translation></message></context>
<context><name>ui</name><message><source>trust</source><translation>Vertrauen</translation></message></context>
<context><name>ui</name><message><source>typed prompts</source><translation>getippte Eingaben</translation></message></context>
<context><name>ui</name><message><source>vault</source><translation>Tresor</translation></message></context>
<context><name>ui</name><message><source>was true</source><translation>war wahr</translation></message></context>
<context><name>ui</name><message><source>what agents are told there</source><translation>was Agenten dort gesagt wird</translation></message></context>
<context><name>ui</name><message><source>what an agent noted down</source><translation>Notizen eines Agenten</translation></message></context>
<context><name>ui</name><message><source>what was imported</source><translation>was importiert wurde</translation></message></context>
<context><name>ui</name><message><source>workspace</source><translation>Arbeitsbereich</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>wrote %Ln blocks</source><translation><numerusform>%Ln Block geschrieben</numerusform><numerusform>%Ln Blöcke geschrieben</numerusform></translation></message></context>
<context><name>ui</name><message><source>you stopped before it</source><translation>du hast vorher angehalten</translation></message></context>
<context><name>ui</name><message><source>{turns} turns were read; they say nothing that is new.</source><translation>{turns} Beiträge wurden gelesen; sie sagen nichts Neues.</translation></message></context>
<context><name>ui</name><message><source>{turns} turns were read; {proposals} proposals wait for your review.</source><translation>{turns} Beiträge wurden gelesen; {proposals} Vorschläge warten auf deine Prüfung.</translation></message></context>
<context><name>ui</name><message numerus="yes"><source>{what} would go to the trash; %Ln in the trash would be erased.</source><translation><numerusform>{what} kämen in den Papierkorb; %Ln im Papierkorb würde gelöscht.</numerusform><numerusform>{what} kämen in den Papierkorb; %Ln im Papierkorb würden gelöscht.</numerusform></translation></message></context>
<context><name>ui</name><message><source>{when}: {what}, by {who}</source><translation>{when}: {what}, von {who}</translation></message></context>
</TS>
