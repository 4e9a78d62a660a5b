import { text } from '#extension/i18n/text.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { send } from '../host.ts'

/** Takes an item that is not on its shelf out of sale everywhere at once, and offers to undo it. */
export async function withdrawNow(uid: string): Promise<void> {
  const { change_uid } = await send('inventory.change', { uid, change: { state: 'withdrawn' } })
  offerUndo(text('undo.after.withdraw'), change_uid)
}
