/** Bytes that a document in the window may have; the shell's own limit. */
export const MOST_BYTES = 1024 * 1024;

/** Whether a text has more bytes than are read here. */
export function isTooLarge(text: string): boolean {
  // In UTF-8 every unit of the text takes one byte to three.
  if (text.length > MOST_BYTES) return true;
  return text.length * 3 > MOST_BYTES && bytesOf(text) > MOST_BYTES;
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
