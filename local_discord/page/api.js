// REST and gateway, as Discord's own clients use them.
export class ApiError extends Error {
  constructor(body) {
    super(body.message || "Something went wrong");
    this.code = body.code;
    this.errors = body.errors;
  }
}

export class Api {
  constructor(base, token) {
    this.base = base;
    this.token = token;
  }

  // files: [File], sent as `files[0]` and so on beside the body.
  async request(method, path, body, files = []) {
    const response = await fetch(this.base + path, {
      method,
      headers: { Authorization: this.token, ...(body && !files.length ? { "Content-Type": "application/json" } : {}) },
      body: files.length ? form(body, files) : body ? JSON.stringify(body) : undefined,
    });
    const answer = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new ApiError(answer);
    return answer;
  }
}

// https://discord.com/developers/docs/reference#uploading-files
function form(body, files) {
  const made = new FormData();
  made.append("payload_json", JSON.stringify(body));
  files.forEach((file, number) => made.append(`files[${number}]`, file, file.name));
  return made;
}

const UNKNOWN_TOKEN = 4004;
let counter = Date.now();
export const nonce = () => String(counter++);

// Keeps a session open. Calls `onEvent(name, payload)` for every event, and `onState(connected)` when that changes.
export class Gateway {
  constructor(url, token, onEvent, onState) {
    Object.assign(this, { url, token, onEvent, onState });
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`${this.url}?v=10&encoding=json`);
    let heart;
    let sequence = null;
    socket.onmessage = (message) => {
      const { op, t, s, d } = JSON.parse(message.data);
      if (s !== null && s !== undefined) sequence = s;
      if (op === 10) {
        socket.send(JSON.stringify({ op: 2, d: { token: this.token, properties: { os: "web", browser: "page", device: "" } } }));
        heart = setInterval(() => socket.send(JSON.stringify({ op: 1, d: sequence })), d.heartbeat_interval);
      } else if (op === 0) {
        if (t === "READY") {
          this.session = d.session_id;
          this.onState(true);
        }
        this.onEvent(t, d);
      } else if (op === 7 || op === 9) socket.close();
    };
    socket.onclose = ({ code }) => {
      clearInterval(heart);
      this.onState(false);
      if (code === UNKNOWN_TOKEN) location.reload(); // the server has started again, and its tokens are new
      setTimeout(() => this.connect(), 1000);
    };
  }
}
