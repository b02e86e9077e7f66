/**
 * A secret as it was pasted. One line copied with its line break means the line;
 * of several (a key, a kubeconfig) every one counts.
 */
export function pastedSecret(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return lines.trim().includes('\n') ? lines : lines.replace(/\n/g, '');
}
