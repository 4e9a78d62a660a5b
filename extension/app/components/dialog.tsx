import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'

/**
 * A modal on the browser's own dialog, which traps focus and restores it. `onEscape` handles the first Escape instead
 * of closing. Browsers close on the second one anyway, so `onClose` may still follow.
 */
export function Dialog(props: {
  title: string
  /** Wide enough for a table. */
  wide?: boolean
  onClose: () => void
  onEscape?: (() => void) | undefined
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  // The pressed control may be gone after a render. Keep the focus in the dialog.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus()
  })
  const cancel = (event: Event) => {
    if (!props.onEscape) return
    event.preventDefault()
    props.onEscape()
  }
  return (
    <dialog
      ref={dialog}
      class={props.wide ? 'wide' : undefined}
      aria-labelledby={title}
      tabIndex={-1}
      onCancel={cancel}
      onClose={props.onClose}
    >
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}

/** The end of a dialog: a way out, and its action. Without `onAct`, the action submits the form around it. */
export function DialogButtons(props: {
  action: string
  isDisabled?: boolean
  /** The main button is the one that does nothing. */
  isRisky?: boolean
  onAct?: () => void
  /** "Cancel" where left out. */
  cancel?: string
  onCancel: () => void
}) {
  const { action, isRisky = false, onAct } = props
  return (
    <div class="buttons">
      <button type="button" class={isRisky ? 'main' : undefined} onClick={props.onCancel}>
        {props.cancel ?? text('cancel')}
      </button>
      <button
        type={onAct ? 'button' : 'submit'}
        class={isRisky ? undefined : 'main'}
        aria-disabled={props.isDisabled}
        onClick={onAct}
      >
        {action}
      </button>
    </div>
  )
}

/** The end of a dialog that only tells something. */
export function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <div class="buttons">
      <button type="button" class="main" onClick={onClose}>
        {text('close')}
      </button>
    </div>
  )
}

/** Asks before an action. */
export function ConfirmDialog(
  props: Parameters<typeof DialogButtons>[0] & { title: string; words: string; onAct: () => void },
) {
  return (
    <Dialog title={props.title} onClose={props.onCancel}>
      <p>{props.words}</p>
      <DialogButtons {...props} />
    </Dialog>
  )
}
