/** The server, as the page asks it. Addresses are relative: a proxy may put the app anywhere. */

import type { AtlasReport, Job, JobResult, Models, Problem, PythonLines, RunRequest } from "./api";
import { type Asks, type Backend, Unanswered, Unwanted } from "./backend";

const ENDED = ["done", "failed", "cancelled"];
const GONE = "The server does not answer: is it still running?";

export class Server implements Backend {
  readonly kept = false;
  readonly opens = "";

  models(): Promise<Models> {
    return json<Models>("api/models");
  }

  async answer<Route extends keyof Asks>(route: Route, body: Asks[Route], tell: (job: Job) => void, unwanted: AbortSignal): Promise<JobResult> {
    if (unwanted.aborted) throw new Unwanted();
    // not aborted on its way: the server would work for nobody
    const job = await json<Job>(`api/${route}`, "POST", body);
    const at = `api/jobs/${job.id}`;
    if (unwanted.aborted) {
      void fetch(at, { method: "DELETE" });
      throw new Unwanted();
    }
    tell(job);
    const ended = await watched(at, tell, unwanted);
    if (ended.phase === "failed") throw new Unanswered(ended.message);
    if (ended.phase === "cancelled") throw ended.message ? new Unanswered(ended.message) : new Unwanted();
    return json<JobResult>(`${at}/result`);
  }

  async python(request: RunRequest): Promise<string> {
    return (await json<PythonLines>("api/python", "POST", request)).code;
  }

  async page(job: string, address: string): Promise<Blob> {
    return (await asked("api/pages", "POST", { job, address })).blob();
  }

  report(atlas: string): Promise<AtlasReport> {
    return json<AtlasReport>(`api/atlases/${encodeURIComponent(atlas)}/report`);
  }
}

/** Follows a job until it has ended. */
function watched(at: string, tell: (job: Job) => void, unwanted: AbortSignal): Promise<Job> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`${at}/events`);
    const stop = () => {
      events.close();
      unwanted.removeEventListener("abort", cancel);
    };
    const cancel = () => {
      stop();
      void fetch(at, { method: "DELETE" }).catch(() => {});
      reject(new Unwanted());
    };
    unwanted.addEventListener("abort", cancel);
    events.addEventListener("job", ({ data }: MessageEvent<string>) => {
      const job = JSON.parse(data) as Job;
      tell(job);
      if (!ENDED.includes(job.phase)) return;
      stop();
      resolve(job);
    });
    events.addEventListener("error", () => {
      // the browser tries again by itself, unless the server said no
      if (events.readyState !== EventSource.CLOSED) return;
      stop();
      json<Job>(at).then((job) => (ENDED.includes(job.phase) ? resolve(job) : reject(new Unanswered(GONE))), reject);
    });
  });
}

const json = async <T>(address: string, method: "GET" | "POST" = "GET", body?: unknown): Promise<T> => (await asked(address, method, body)).json() as Promise<T>;

async function asked(address: string, method: "GET" | "POST", body?: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, body === undefined ? { method } : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Unanswered(GONE);
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new Unanswered(problem?.message ?? `The server answered with ${response.status}.`);
}
