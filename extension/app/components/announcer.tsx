import type { ImportRow } from '#extension/messaging/import-row.ts'
import { text } from './words.ts'

/** Announces changes of an import's state to screen readers, without the numbers. */
export function Announcer(props: { imports: readonly ImportRow[]; nameOf: (slug: string) => string }) {
  const states = props.imports.map(
    (row) =>
      `${text('import.progress', { platform: props.nameOf(row.platform) })}: ${text(`import.phase.${row.incomplete ? 'incomplete' : row.phase}`)}`,
  )
  return (
    <p class="hidden" aria-live="polite">
      {states.join('. ')}
    </p>
  )
}
