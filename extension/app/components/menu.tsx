import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A button with an icon that opens a panel below it. Escape, a press elsewhere or moving the focus away close it. */
export function Menu(props: {
  label: string
  icon: ComponentChildren
  class?: string
  /** More attributes of the button. */
  button?: Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'ref'>
  children: (close: () => void) => ComponentChildren
}) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLFieldSetElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const isOutside = (target: EventTarget | null) => target instanceof Node && !box.current?.contains(target)
  // Before the panel is painted, so that an Escape as soon as it shows closes it.
  useLayoutEffect(() => {
    if (!open) return
    const press = (event: PointerEvent) => isOutside(event.target) && setOpen(false)
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
    }
    addEventListener('pointerdown', press)
    // Before the page's own Escape.
    addEventListener('keydown', keys, { capture: true })
    return () => {
      removeEventListener('pointerdown', press)
      removeEventListener('keydown', keys, { capture: true })
    }
  }, [open])
  return (
    <fieldset
      class={`menu ${props.class ?? ''}`}
      aria-label={props.label}
      ref={box}
      onFocusOut={(event) => isOutside(event.relatedTarget) && setOpen(false)}
    >
      <button
        type="button"
        class="icon"
        aria-label={props.label}
        title={props.label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        {...props.button}
        ref={button}
      >
        {props.icon}
      </button>
      {open && <div class="panel">{props.children(close)}</div>}
    </fieldset>
  )
}
