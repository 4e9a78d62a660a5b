import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * The browser's own dialog: it holds the focus, Escape closes it, and the focus goes back to where it was. With `onEscape`
 * the first Escape does that instead; a browser closes at the second whatever we say, so `onClose` may follow all the same.
 */
export function Dialog(props: {
  title: string
  onClose: () => void
  onEscape?: (() => void) | undefined
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  // What was pressed makes room for what comes of it: the keyboard goes on in the dialog.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus()
  })
  const cancel = (event: Event) => {
    if (!props.onEscape) return
    event.preventDefault()
    props.onEscape()
  }
  return (
    <dialog ref={dialog} aria-labelledby={title} tabIndex={-1} onCancel={cancel} onClose={props.onClose}>
      <h2 id={title}>{props.title}</h2>
      {props.children}
    </dialog>
  )
}
