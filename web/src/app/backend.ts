/** Who answers the page: a server, or a file that keeps what one answered. */

import type { AtlasReport, Job, JobResult, Models, RunRequest, WhyRequest, WritesRequest } from "./api";

export interface Asks {
  runs: RunRequest;
  writes: WritesRequest;
  why: WhyRequest;
}

export interface Backend {
  /** Whether it answers only what was asked before. */
  readonly kept: boolean;
  models(): Promise<Models>;
  /** The answer to a request; `tell` says how it stands meanwhile. One that is no longer wanted is ended in the model. */
  answer<Route extends keyof Asks>(route: Route, body: Asks[Route], tell: (job: Job) => void, unwanted: AbortSignal): Promise<JobResult>;
  /** The part of an address that the page begins with. */
  readonly opens: string;
  /** A run that is done as a page of its own. */
  page(job: string, address: string): Promise<Blob>;
  python(request: RunRequest): Promise<string>;
  report(atlas: string): Promise<AtlasReport>;
}

/** A request that was not answered, in words for people. */
export class Unanswered extends Error {}

/** A request that nobody waits for any more. */
export class Unwanted extends Error {}
