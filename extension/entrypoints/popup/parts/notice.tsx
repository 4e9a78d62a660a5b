import { CircleAlert, Info, TriangleAlert } from 'lucide-preact'
import type { ComponentChildren } from 'preact'

const icons = { plain: Info, warn: TriangleAlert, bad: CircleAlert }

/** One sentence about what happened, and at most one button. Said at once by screen readers when it is bad. */
export function Notice(props: {
  tone: 'plain' | 'warn' | 'bad'
  children: ComponentChildren
  action?: { label: string; act: () => void }
}) {
  const Icon = icons[props.tone]
  return (
    <div class={`notice ${props.tone}`} role={props.tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden="true" />
      <p class="grow">{props.children}</p>
      {props.action && (
        <button type="button" onClick={props.action.act}>
          {props.action.label}
        </button>
      )}
    </div>
  )
}
