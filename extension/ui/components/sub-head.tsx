import { ArrowLeft } from 'lucide-preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'

/** Head of every screen but the first: the way back, and the title, which is where a screen reader goes on. */
export function SubHead(props: {
  title: string
  /** Nothing else on the screen says the title: it is never cut. */
  whole?: boolean
  onBack: () => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => title.current?.focus(), [])
  return (
    <header class="head sub">
      <button type="button" class="icon" aria-label={text('back')} onClick={props.onBack}>
        <ArrowLeft size={18} aria-hidden="true" />
      </button>
      <h1 class={props.whole ? 'grow whole' : 'grow cut'} tabIndex={-1} ref={title}>
        {props.title}
      </h1>
    </header>
  )
}
