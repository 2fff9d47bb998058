/** The picture on screen as a file. */

import { type Picture, paint, toSvg } from "../draw/marks";

export function svgBlob(picture: Picture, page: string): Blob {
  return new Blob([toSvg(picture, page)], { type: "image/svg+xml" });
}

export async function pngBlob(picture: Picture, page: string, scale: number): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(picture.width * scale);
  canvas.height = Math.ceil(picture.height * scale);
  const context = canvas.getContext("2d")!;
  context.fillStyle = page;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  paint(context, picture.marks);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("The picture is too large for this scale; choose a smaller one.");
  return blob;
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
