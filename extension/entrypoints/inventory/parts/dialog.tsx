import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

/** The browser's own dialog: it holds the focus, Escape closes it, and the focus goes back to where it was. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  // What was pressed makes room for what comes of it: the keyboard goes on in the dialog.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus()
  })
  return (
    <dialog ref={dialog} aria-labelledby={title} tabIndex={-1} onClose={props.onClose}>
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}
