/** An atlas inside the app: the report's cards and finder, whose links are addresses of the app. */

import { Book, checkReport } from "../report/book";
import type { Report } from "../report/contract";
import type { Route } from "../report/route";
import { ReportState } from "../report/state.svelte";
import { fromBase64, inflate } from "../core/payload";
import type { AtlasReport } from "./api";
import { toHash } from "./asked";
import type { AppState } from "./state.svelte";

export class Corpus extends ReportState {
  constructor(
    book: Book,
    private readonly app: AppState,
    readonly atlas: string,
  ) {
    super(book);
  }

  override link(head: number): string {
    return toHash({ ...this.app.asked, head: this.book.address(head), tab: "corpus" });
  }

  /** What is asked is in the app's address; how a table is sorted is not. */
  override go(changes: Partial<Route>, how: "push" | "replace" = "replace"): void {
    this.route = { ...this.route, ...changes };
    if (changes.find !== undefined) this.app.change({ find: changes.find, atlas: this.app.ownAtlas === this.atlas ? "" : this.atlas }, how);
  }
}

export async function openCorpus({ report, data }: AtlasReport, app: AppState, atlas: string): Promise<Corpus> {
  const document = report as unknown as Report;
  const buffer = await inflate(fromBase64(data));
  checkReport(document, buffer.byteLength);
  return new Corpus(new Book(document, buffer), app, atlas);
}
