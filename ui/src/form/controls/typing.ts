import type { Span } from './templates';

/** Puts `text` where `span` is, as if it were typed: the field's own undo takes it back. */
export function typeOver(
  field: HTMLInputElement | HTMLTextAreaElement,
  span: Span,
  text: string,
): void {
  field.focus();
  field.setSelectionRange(span.start, span.end);
  // Deprecated without a successor: nothing else leaves the undo history whole.
  const typed =
    typeof document.execCommand === 'function' && document.execCommand('insertText', false, text);
  if (typed) return;
  field.setRangeText(text, span.start, span.end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
}
