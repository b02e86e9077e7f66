import type { Detection, Problem, Service } from '../generated/types';
import type { Backend } from '../backend/backend';
import { asProblem } from '../backend/problem';

/** What stands where a folder or git URL is being added. */
export type Found =
  | { kind: 'nothing' }
  | { kind: 'looking'; location: string }
  | { kind: 'folder'; detection: Detection }
  | { kind: 'url'; url: string }
  | { kind: 'problem'; problem: Problem };

/** Whether a location names a repository elsewhere: a URL, or `user@host:path`. */
export function isGitUrl(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location) || /^[\w.-]+@[\w.-]+:/.test(location);
}

/** The name a repository's URL suggests. */
export function nameFromUrl(url: string): string {
  const last =
    url
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1) ?? '';
  return last.replace(/\.git$/, '');
}

/** Adding a service: what was typed, picked or dropped, and what was found there. */
export class Adding {
  location = $state('');
  found = $state.raw<Found>({ kind: 'nothing' });
  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async look(location: string): Promise<void> {
    const wanted = location.trim();
    this.location = wanted;
    if (wanted === '') {
      this.found = { kind: 'nothing' };
      return;
    }
    if (isGitUrl(wanted)) {
      this.found = { kind: 'url', url: wanted };
      return;
    }
    const looking: Found = { kind: 'looking', location: wanted };
    this.found = looking;
    let found: Found;
    try {
      found = { kind: 'folder', detection: await this.#backend.detect(wanted) };
    } catch (reason) {
      found = { kind: 'problem', problem: asProblem(reason) };
    }
    // A later look has taken over.
    if (this.found === looking) this.found = found;
  }

  add(composePath: string | undefined, name: string): Promise<Service> {
    const location = this.found.kind === 'folder' ? this.found.detection.path : this.location;
    return this.#backend.addService(location, composePath, name.trim() || undefined);
  }

  clear(): void {
    this.location = '';
    this.found = { kind: 'nothing' };
  }
}
