import { useLayoutEffect, useRef } from 'preact/hooks'
import { text } from './words.ts'

/** A link that drops something of a row after one confirmation in its place. */
export function AskFirst(props: {
  /** Of the link; "Dismiss" where left out. */
  words?: string
  /** Name of the link for screen readers. */
  label: string
  question: string
  asking: boolean
  onAsk: (asking: boolean) => void
  onYes: () => void
}) {
  const { words = text('dismiss'), asking, onAsk } = props
  const first = useRef<HTMLButtonElement>(null)
  const last = useRef<HTMLButtonElement>(null)
  const asked = useRef(false)
  // Move the keyboard focus to the question, and back to the button afterwards.
  useLayoutEffect(() => {
    if (asking) first.current?.focus()
    else if (asked.current) last.current?.focus()
    asked.current = asking
  }, [asking])

  if (!asking) {
    return (
      <p class="links">
        <button ref={last} type="button" class="link" aria-label={props.label} onClick={() => onAsk(true)}>
          {words}
        </button>
      </p>
    )
  }
  return (
    <fieldset
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onAsk(false)
      }}
    >
      <legend class="soft">{props.question}</legend>
      <p class="links">
        <button ref={first} type="button" class="link" onClick={props.onYes}>
          {words}
        </button>
        <button type="button" class="link" onClick={() => onAsk(false)}>
          {text('import.keep')}
        </button>
      </p>
    </fieldset>
  )
}
