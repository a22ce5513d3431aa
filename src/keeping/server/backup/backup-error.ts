/** An error that the operator can fix. Commands print its message without a stack. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** Another process is using the backup folder. */
export class FolderBusy extends BackupError {
  override readonly name = 'FolderBusy';
}
