// What a page of somebody else tries against a server on this machine; the outcome of each attempt.
async ({ here, gateway, anna }) => {
  const outcome = async (attempt) => {
    try {
      return String(await attempt());
    } catch (error) {
      return "refused";
    }
  };
  const faults = `${here}/local/faults`;
  const fault = JSON.stringify({ match: { path: "*" }, status: 503, times: 99 });
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

  const form = (done) => {
    const frame = make("iframe", { name: "target", onload: () => done("loaded") });
    const it = make("form", { method: "POST", target: "target", action: faults, enctype: "text/plain" });
    it.append(make("input", { name: `${fault.slice(0, -1)},"x":"`, value: '"}' }));
    document.body.append(frame, it);
    it.submit();
  };
  const socket = (done, failed) => {
    const it = new WebSocket(`${gateway}?v=10&encoding=json`);
    it.onmessage = () => done("open");
    it.onerror = failed;
  };
  const frame = (done) => document.body.append(make("iframe", { src: `${here}/?user=${anna}`, onload: () => done("loaded") }));
  const script = (done, failed) => document.head.append(make("script", { src: `${here}/local/session`, onload: done, onerror: failed }));

  return {
    session: await outcome(async () => (await fetch(`${here}/local/session`)).status),
    json: await outcome(async () => (await fetch(faults, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: fault,
    })).status),
    simple: await outcome(async () => (await fetch(faults, { method: "POST", mode: "no-cors", body: fault })).type),
    form: await outcome(() => new Promise(form)),
    socket: await outcome(() => new Promise(socket)),
    frame: await outcome(() => new Promise(frame)),
    script: await outcome(() => new Promise(script)),
  };
}
