import { accountText as text } from '#extension/i18n/account-text.ts'
import { Dialog } from '../components/dialog.tsx'

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: {
  title: string
  words: string
  action: string
  onCancel: () => void
  onConfirm: () => void
}) {
  return (
    <Dialog title={props.title} onClose={props.onCancel}>
      <p>{props.words}</p>
      <div class="buttons">
        <button type="button" onClick={props.onCancel}>
          {text('cancel')}
        </button>
        <button type="button" class="main" onClick={props.onConfirm}>
          {props.action}
        </button>
      </div>
    </Dialog>
  )
}
