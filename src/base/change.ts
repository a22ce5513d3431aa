import type { UserId } from './ids.ts';

/** What one partner did, as both partners' open apps hear of it (contract 3, Changes, live). */
export interface Change {
  readonly entity: 'dateIdea' | 'plannedDate' | 'memory' | 'couple';
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly by: UserId;
}
