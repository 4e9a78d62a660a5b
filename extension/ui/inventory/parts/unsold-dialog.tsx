import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { send } from '#extension/messaging/send.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { useAction } from '#extension/ui/hooks/use-request.ts'

/** Undoes a sale that was marked by mistake or fell through. */
export function UnsoldDialog(props: { uid: string; onClose: () => void }) {
  const { busy, problem, act } = useAction()
  const [isFree, setFree] = useState<boolean | null>(null)
  const go = () =>
    act('go', async () => {
      const { state } = await send('inventory.takeBackSale', { uid: props.uid })
      setFree(state === 'available')
    })
  return (
    <Dialog title={text('unsold.title')} onClose={props.onClose}>
      <p role={isFree === null ? undefined : 'status'}>
        {text(isFree === null ? 'unsold.text' : isFree ? 'unsold.done' : 'unsold.passed')}
      </p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div class="buttons">
        <button type="button" class={isFree === null ? '' : 'main'} onClick={props.onClose}>
          {text(isFree === null ? 'bulk.cancel' : 'bulk.close')}
        </button>
        {isFree === null && (
          <button type="button" class="main" disabled={busy !== null} onClick={() => void go()}>
            {text('unsold.go')}
          </button>
        )}
      </div>
    </Dialog>
  )
}
