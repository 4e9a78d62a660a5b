import { ArrowLeft } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'

/** Head of every screen but the first. Its title takes the focus, so screen readers continue there. */
export function SubHead(props: {
  title: string
  /** Do not truncate: the title appears nowhere else on the screen. */
  whole?: boolean
  onBack: () => void
  /** At the end of the head. */
  children?: ComponentChildren
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
      {props.children}
    </header>
  )
}
