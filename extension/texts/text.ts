import { en } from './en.ts'

type Messages = typeof en
export type TextName = keyof Messages
type Forms<Name extends TextName> = Messages[Name] extends { other: infer Other } ? Other : Messages[Name]
type Gaps<Text> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | Gaps<Rest> : never
/** What must be filled in: numbers are written in the seller's manner. */
type Values<Name extends TextName> = { [Gap in Gaps<Forms<Name>>]: string | number }

/** The text of a name, filled in. Numbers are formatted for the seller's locale, and `n` chooses the form. */
export function text<Name extends TextName>(
  name: Name,
  ...[values]: Gaps<Forms<Name>> extends never ? [] : [values: Values<Name>]
): string {
  const message: string | { one: string; other: string } = en[name]
  const given: Record<string, string | number> = values ?? {}
  const form = typeof message === 'string' ? message : message[pluralForm(given.n)]
  return form.replace(/\{(\w+)\}/g, (_, gap: string) => formatted(given[gap]))
}

/** The text of a name that may not exist, such as one made of an error code. */
export function textIfAny(name: string): string | null {
  const message: unknown = Object.hasOwn(en, name) ? Reflect.get(en, name) : null
  return typeof message === 'string' ? message : null
}

function pluralForm(n: string | number | undefined): 'one' | 'other' {
  return new Intl.PluralRules('en').select(Number(n)) === 'one' ? 'one' : 'other'
}

function formatted(value: string | number | undefined): string {
  return typeof value === 'number' ? new Intl.NumberFormat().format(value) : apart(value ?? '')
}

/**
 * Strangers' words inside of ours: marks that turn the direction of all that follows are taken out, and words written from
 * right to left keep to their own place.
 */
function apart(value: string): string {
  const plain = value.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(plain) ? `\u2068${plain}\u2069` : plain
}

/** A text cut at its gaps: words and names of gaps by turns, words first. */
export function gapsOf(name: TextName): string[] {
  const message: string | { other: string } = en[name]
  return (typeof message === 'string' ? message : message.other).split(/\{(\w+)\}/)
}
