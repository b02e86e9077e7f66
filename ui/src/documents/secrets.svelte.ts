import type { Backend } from '../backend/backend';
import type { SecretPort } from '../form/controls/types';
import type { SecretKey } from '../generated/types';

/** The secrets of one document. Values go through; only the keys stay here. */
export class DocumentSecrets implements SecretPort {
  keys = $state.raw<readonly SecretKey[]>([]);

  constructor(
    readonly backend: Backend,
    readonly documentId: string,
    keys: readonly SecretKey[],
  ) {
    this.keys = keys;
  }

  set = async (key: string, value: string): Promise<void> => {
    this.keys = await this.backend.setDocumentSecret(this.documentId, key, value);
  };

  /** Nothing will ever refer to them: their document was given up before it was stored. */
  async forget(): Promise<void> {
    await Promise.all(
      this.keys.filter(({ setAt }) => setAt !== null).map(({ key }) => this.remove(key)),
    );
  }

  remove = async (key: string): Promise<void> => {
    this.keys = await this.backend.removeDocumentSecret(this.documentId, key);
  };
}
