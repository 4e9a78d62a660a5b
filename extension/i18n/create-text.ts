/** A text with gaps such as `{name}`, or its two forms, of which the gap `{n}` chooses one. */
type Message = string | { readonly one: string; readonly other: string }
type Forms<Text> = Text extends { other: infer Other } ? Other : Text
type Gaps<Text> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | Gaps<Rest> : never
/** What must be filled in: numbers are written in the seller's manner. */
type Values<Text> = { [Gap in Gaps<Forms<Text>>]: string | number }

/** How the texts of a set of messages are had by their names. */
export function createText<const Messages extends Record<string, Message>>(messages: Messages) {
  return {
    /** The text of a name, filled in. Numbers are formatted for the seller's locale, and `n` chooses the form. */
    text<Name extends keyof Messages & string>(
      name: Name,
      ...[values]: Gaps<Forms<Messages[Name]>> extends never ? [] : [values: Values<Messages[Name]>]
    ): string {
      const message = messages[name] as Message
      const given: Record<string, string | number> = values ?? {}
      const form = typeof message === 'string' ? message : message[pluralForm(given.n)]
      return form.replace(/\{(\w+)\}/g, (_, gap: string) => formatted(given[gap]))
    },

    /** The text of a name that may not exist, such as one made of an error code. */
    textIfAny(name: string): string | null {
      const message: unknown = Object.hasOwn(messages, name) ? Reflect.get(messages, name) : null
      return typeof message === 'string' ? message : null
    },

    /** A text cut at its gaps: words and names of gaps by turns, words first. */
    gapsOf(name: keyof Messages & string): string[] {
      const message = messages[name] as Message
      return (typeof message === 'string' ? message : message.other).split(/\{(\w+)\}/)
    },
  }
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
