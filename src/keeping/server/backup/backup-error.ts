/** What a person can mend; told as it is, without a stack. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** Another process works in the folder of backups. */
export class FolderBusy extends BackupError {
  override readonly name = 'FolderBusy';
}
