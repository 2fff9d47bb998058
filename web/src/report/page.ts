/** The report's page: reads the document inside the file and shows it. */

import { flushSync, mount } from "svelte";
import "./print.css";
import { fromBase64, inflate } from "../core/payload";
import { prefersDark } from "../draw/theme";
import { alerting } from "../view";
import { Book, checkReport } from "./book";
import type { Report as ReportDocument } from "./contract";
import Report from "./Report.svelte";
import { ReportState } from "./state.svelte";

/** Document and bytes as the page holds them: deflated, in base64. */
export async function showReport(target: HTMLElement, report: string, data: string): Promise<void> {
  await alerting(target, async () => {
    const [text, buffer] = await Promise.all([report, data].map((block) => inflate(fromBase64(block))));
    const document = JSON.parse(new TextDecoder().decode(text)) as ReportDocument;
    checkReport(document, buffer.byteLength);
    const state = new ReportState(new Book(document, buffer));
    state.dark = prefersDark("system");
    state.follow(location.hash);
    mount(Report, { target, props: { state } });
    flushSync();
    performance.mark("attlas-drawn");
  });
}
