/** An error that the operator can fix. Commands print its message without a stack, and its list below, a line each. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
  readonly list: readonly string[];

  constructor(message: string, { list = [], ...options }: ErrorOptions & { readonly list?: readonly string[] } = {}) {
    super(message, options);
    this.list = list;
  }
}

/** Another process is using the backup folder. */
export class FolderBusy extends BackupError {
  override readonly name = 'FolderBusy';
}

/** Returns the message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
