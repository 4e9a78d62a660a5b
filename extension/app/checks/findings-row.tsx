import { CircleQuestionMark } from 'lucide-preact'
import type { Needs } from '#extension/messaging/count-needs.ts'
import { useHost } from '../host.ts'
import { text } from './room-words.ts'

/** Says what contradicts itself in the inventory. */
export function FindingsRow({ findings }: Pick<Needs, 'findings'>) {
  const { page } = useHost()
  return (
    <li>
      <CircleQuestionMark class="sign" size={18} aria-hidden="true" />
      <p class="grow">{findings.map(({ kind, n }) => text(`checks.row.${kind}`, { n })).join(' · ')}</p>
      <a class="button" href={`${page}#checks`} target={page ? '_blank' : undefined}>
        {text('review')}
      </a>
    </li>
  )
}
