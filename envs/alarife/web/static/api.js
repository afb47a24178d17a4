// What the page asks of the server. The key stands in the address behind #, which browsers send to nobody.

export class Refused extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

export const place = {
  read() { return Object.fromEntries(new URLSearchParams(location.hash.slice(1))); },
  write(changes, add = false) {
    const now = { ...place.read(), ...changes };
    for (const name of Object.keys(now)) if (now[name] === null || now[name] === "") delete now[name];
    const hash = `#${new URLSearchParams(now)}`;
    if (hash !== location.hash) history[add ? "pushState" : "replaceState"](null, "", hash);
  },
};

const head = () => ({ "x-alarife-key": place.read().key ?? "" });

export async function ask(path, wish) {
  const how = { headers: head(), cache: "no-store" };
  if (wish !== undefined) {
    how.method = "POST";
    how.headers["content-type"] = "application/json";
    how.body = JSON.stringify(wish);
  }
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Refused("The server does not answer. Is alarife serve still running?", 0);
  }
  const told = await answer.json();
  if (!answer.ok) throw new Refused(told.error ?? `refused (${answer.status})`, answer.status);
  return told;
}

// Calls with the number of the due decision whenever something has happened. Returns what ends it.
export function listen(path, call) {
  const stop = new AbortController();
  (async () => {
    while (!stop.signal.aborted) {
      try {
        const answer = await fetch(path, { headers: head(), signal: stop.signal, cache: "no-store" });
        if (!answer.ok) return;
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = ""; ;) {
          const { value, done } = await reader.read();
          if (done) break;
          text += value;
          const parts = text.split("\n\n");
          text = parts.pop();
          for (const part of parts) call(Number(part.replace("data: ", "")));
        }
      } catch {
        if (stop.signal.aborted) return;
      }
      await new Promise((go) => setTimeout(go, 1000));
    }
  })();
  return () => stop.abort();
}
