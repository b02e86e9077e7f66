import type { Label, Node, Outline, Trouble } from './outline';
import { isFault, placeOfIssue } from './outline';

/** What the validator says, as far as the form needs it. */
export interface ValidatorIssue {
  path: readonly (string | number)[];
  message: string;
}

/** An issue at the part of the form that shows it. */
export interface PlacedIssue {
  id: string;
  message: string;
  /** The rest of the way, where the part itself is not shown. */
  deeper: readonly (string | number)[];
}

/**
 * Ties issues to the parts they were found in. Parts keep their identity when
 * they are moved, so an issue follows its part until the next check.
 */
export function placeIssues(issues: readonly ValidatorIssue[], outline: Outline): PlacedIssue[] {
  return issues.flatMap(({ path, message }) => {
    const node = placeOfIssue(outline, path);
    if (!node) return [];
    const below = path.slice(node.path?.length ?? 0);
    const shown = below.length === 1 && node.covers.includes(String(below[0]));
    return [{ id: node.id, message, deeper: shown ? [] : below }];
  });
}

export type Finding =
  | { id: string; trail: readonly Label[]; trouble: Trouble }
  | { id: string; trail: readonly Label[]; issue: PlacedIssue };

export interface Findings {
  /** In the order of the form. */
  shown: readonly Finding[];
  /** Required parts that nobody was at yet: not held against anyone. */
  waiting: readonly string[];
}

/**
 * What is said now. Where something typed cannot be read, that is said and not
 * what follows from it; what is still empty is not complained about before its
 * field was left.
 */
export function findings(
  { nodes }: Outline,
  issues: readonly PlacedIssue[],
  isDue: (node: Node) => boolean,
): Findings {
  const byNode = new Map<string, PlacedIssue[]>();
  for (const issue of issues) {
    const known = byNode.get(issue.id);
    if (known) known.push(issue);
    else byNode.set(issue.id, [issue]);
  }
  const shown: Finding[] = [];
  const waiting: string[] = [];
  for (const node of nodes) {
    const { id, trail, trouble } = node;
    const found = byNode.get(id) ?? [];
    const fault = trouble !== null && isFault(trouble);
    if (!fault && found.length === 0 && trouble === null) continue;
    if (node.empty && !isDue(node)) waiting.push(id);
    else {
      if (trouble) shown.push({ id, trail, trouble });
      if (!fault) shown.push(...found.map((issue) => ({ id, trail, issue })));
    }
  }
  return { shown, waiting };
}
