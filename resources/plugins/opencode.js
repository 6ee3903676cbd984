// Keepsake's plugin for opencode: the memory when a run begins, what matches at each prompt, and a
// note of what was said for learning later. It never fails a prompt; it spends no tokens.
import { spawn } from "node:child_process";

const KEEPSAKE = ["keepsake", "hook", "opencode"];
const SECONDS = 5;

function asked(event, told) {
  return new Promise((done) => {
    let said = "";
    try {
      const [program, ...words] = KEEPSAKE;
      const child = spawn(program, [...words, event], { stdio: ["pipe", "pipe", "ignore"] });
      const late = setTimeout(() => child.kill(), SECONDS * 1000);
      child.stdout.on("data", (part) => (said += part));
      child.on("error", () => done({}));
      child.on("close", () => {
        clearTimeout(late);
        try {
          done(said ? JSON.parse(said) : {});
        } catch {
          done({});
        }
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(told));
    } catch {
      done({});
    }
  });
}

function contextOf(answer) {
  return answer?.hookSpecificOutput?.additionalContext ?? "";
}

function textOf(parts) {
  const texts = (parts ?? []).filter((part) => part.type === "text" && !part.synthetic);
  return texts.map((part) => part.text).join("\n\n");
}

export const Keepsake = async ({ client, directory }) => {
  const contexts = new Map(); // by session: what the model is told
  const children = new Set(); // sessions of sub-agents: nobody's own words

  async function leave(session) {
    if (children.has(session)) return;
    const found = await client.session.messages({ path: { id: session } });
    const turns = (found?.data ?? [])
      .map(({ info, parts }) => ({ role: info.role, text: textOf(parts) }))
      .filter((turn) => turn.text);
    if (turns.length) await asked("stop", { session_id: session, cwd: directory, turns });
  }

  return {
    event: async ({ event }) => {
      const info = event?.properties?.info;
      if (event?.type === "session.created" && info?.parentID) children.add(info.id);
      if (event?.type === "session.compacted") contexts.delete(event.properties.sessionID);
      if (event?.type === "session.idle") {
        await leave(event.properties.sessionID).catch(() => {});
      }
    },
    "chat.message": async (input, output) => {
      const session = input.sessionID;
      if (children.has(session)) return;
      const told = { session_id: session, cwd: directory };
      if (!contexts.has(session)) {
        contexts.set(session, [contextOf(await asked("session-start", told))]);
      }
      const prompt = textOf(output.parts);
      contexts.get(session).push(contextOf(await asked("prompt", { ...told, prompt })));
    },
    "experimental.chat.system.transform": async (input, output) => {
      const told = (contexts.get(input.sessionID) ?? []).filter(Boolean);
      output.system.push(...told);
    },
  };
};
