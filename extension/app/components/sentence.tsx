import type { ComponentChildren } from 'preact'
import { Fragment } from 'preact'
import { text } from '#extension/i18n/text.ts'

/** Renders a message whose gaps hold controls, in the order of the language. `gapsOf` splits it into `parts`. */
export function Sentence(props: { parts: readonly string[]; gaps: Record<string, ComponentChildren> }) {
  return (
    <p class="sentence">
      {props.parts.map((part, index) => (
        <Fragment key={index}>{index % 2 === 0 ? <span>{part}</span> : props.gaps[part]}</Fragment>
      ))}
    </p>
  )
}

/** A select inside a sentence. `label` names it for screen readers. */
export function Choice<Value extends string>(props: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  return (
    <select
      aria-label={props.label}
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find(([value]) => value === event.currentTarget.value)
        if (chosen) props.onChange(chosen[0])
      }}
    >
      {props.options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** Returns platforms as options, each worded by a message such as "on {platform}". */
export function platformOptions<Slug extends string>(
  platforms: readonly { slug: Slug; name: string }[],
  name: 'filter.on' | 'filter.off',
): (readonly [Slug, string])[] {
  return platforms.map(({ slug, name: platform }) => [slug, text(name, { platform })] as const)
}
