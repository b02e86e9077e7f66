/** Names of secrets. The rule is the contract's. */

export type KeyFault = 'characters' | 'length';

export function keyFault(key: string): KeyFault | null {
  if (!/^[A-Za-z0-9_.-]*$/.test(key)) return 'characters';
  return key.length > 64 ? 'length' : null;
}
