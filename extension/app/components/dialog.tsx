import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

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
