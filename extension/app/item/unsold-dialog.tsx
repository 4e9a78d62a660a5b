import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useAction } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { text } from './words.ts'

/** Undoes a sale that was marked by mistake or fell through. */
export function UnsoldDialog(props: { uid: string; onClose: () => void }) {
  const { busy, problem, act } = useAction()
  const go = () =>
    act('go', async () => {
      const { state } = await call('takeBackSale', { params: { uid: props.uid }, body: {} })
      // In the place of the offer to undo that the sale may have left.
      offerUndo(text(state === 'available' ? 'unsold.done' : 'unsold.passed'), null)
      props.onClose()
    })
  return (
    <Dialog title={text('unsold.title')} onClose={props.onClose}>
      <p>{text('unsold.text')}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <DialogButtons onCancel={props.onClose} action={text('unsold.open')} isDisabled={busy !== null} onAct={go} />
    </Dialog>
  )
}
