import { ArrowLeft } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { IconButton } from './icon-button.tsx'

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
      <IconButton icon={ArrowLeft} size={18} label={text('back')} onClick={props.onBack} />
      <h1 class={props.whole ? 'grow whole' : 'grow cut'} tabIndex={-1} ref={title}>
        {props.title}
      </h1>
      {props.children}
    </header>
  )
}
