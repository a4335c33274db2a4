import type { Job } from '../api'
import type { Ui } from '../ui.svelte'

/** How far a worker is with what was asked of it, in words. */
export function farOf({ status, done, of }: Job, t: Ui['t']): string {
  if (status === 'waiting') return t('jobWaits')
  return done === null || of === null ? t('jobRuns') : t('jobDone', { done, of })
}
