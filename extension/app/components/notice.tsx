import { CircleAlert, Info, TriangleAlert } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { withLocalMoney } from '../common/format.ts'

const icons = { plain: Info, warn: TriangleAlert, bad: CircleAlert }

/** One sentence with an action, a link or both. Screen readers announce a `bad` one at once. */
export function Notice(props: {
  tone: 'plain' | 'warn' | 'bad'
  children: ComponentChildren
  action?: { label: string; act: () => void }
  link?: { label: string; href: string } | undefined
}) {
  const Icon = icons[props.tone]
  return (
    <div class={`notice ${props.tone}`} role={props.tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden="true" />
      <p class="grow">{typeof props.children === 'string' ? withLocalMoney(props.children) : props.children}</p>
      {props.action && (
        <button type="button" onClick={props.action.act}>
          {props.action.label}
        </button>
      )}
      {props.link && (
        <a class="button" href={props.link.href} target="_blank" rel="noreferrer">
          {props.link.label}
        </a>
      )}
    </div>
  )
}
