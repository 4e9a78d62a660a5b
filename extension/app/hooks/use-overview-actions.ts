import { text } from '#extension/i18n/text.ts'
import { finishedLike, type ImportRow } from '#extension/messaging/import-row.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { call, send } from '../host.ts'
import { useAction } from './use-request.ts'

/** The actions of the first screen of popup and page. They run one at a time, and most reload the overview. */
export function useOverviewActions(refresh: () => Promise<void>) {
  const { busy, late, problem, act } = useAction()
  const change = (name: string, work: () => Promise<unknown>) =>
    act(name, async () => {
      await work()
      await refresh()
    })
  return {
    busy,
    late,
    problem,
    /** Imports from a marketplace that the server reads; does nothing for others. */
    importAgain: (platform: PlatformSlug) => {
      if (platform === 'ebay' || platform === 'etsy') {
        void change(platform, () => send('popup.import', { platform }))
      }
    },
    /** Removes a finished import from the list, with the others of its shop that ended alike. */
    dismissImport: (row: ImportRow, imports: readonly ImportRow[]) =>
      change('dismiss', async () => {
        for (const { id } of finishedLike(row, imports)) await send('popup.dismiss', { id })
      }),
    /** Puts something away, by its id. */
    dismiss: (id: string) => change('dismiss', () => send('popup.dismiss', { id })),
    /** Stops an import that the server reads. */
    stopImport: ({ job }: ImportRow) =>
      change('stop', async () => job && (await call('stopImport', { params: { uid: job } }))),
    onRetryAlert: ({ uid }: Alert) => change(uid, () => send('popup.retryAlert', { uid })),
    onDismissAlert: ({ uid }: Alert) => change(uid, () => send('popup.dismissAlert', { uid })),
    /** Says which item was sold; a toast tells what that did. */
    onAnswerAlert: ({ uid, kind }: Alert, item: string | null) =>
      change(uid, async () => {
        const { change_uid } = await send('popup.answerAlert', { uid, item })
        if (kind === 'relist_unclear') return
        offerUndo(text(item === null ? 'alert.none_done' : 'alert.this_one_done'), change_uid)
      }),
    /** Reports that the seller ended a listing by hand, so that the server looks again at once where it can. */
    onEnded: ({ uid, task_uid }: Alert) =>
      change(uid, async () => {
        if (task_uid) await send('popup.finishTask', { uid: task_uid, how: 'done' })
        else await send('popup.endedAlert', { uid })
      }),
    onOpen: ({ uid }: ExtensionTask) => act(uid, async () => void (await send('popup.openTask', { uid }))),
    onFinish: ({ uid }: ExtensionTask, how: 'done' | 'dismiss') =>
      change(uid, () => send('popup.finishTask', { uid, how })),
    /** Leaves the listings unlisted that wait for an answer. */
    onDismissUnanswered: (platform: PlatformSlug) =>
      change('unanswered', () => call('dismissUnanswered', { body: { platform } })),
    onCancel: ({ scrape }: ImportRow) =>
      change('cancel', async () => scrape && (await send('popup.cancelImport', { scrape }))),
    onRetry: ({ scrape }: ImportRow) =>
      change('try again', async () => scrape && (await send('popup.retryImport', { scrape }))),
  }
}
