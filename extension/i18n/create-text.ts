/** A message with gaps such as `{name}`, or two plural forms selected by `{n}`. */
type Message = string | { readonly one: string; readonly other: string }
export type Messages = Record<string, Message>
type Forms<Text> = Text extends { other: infer Other } ? Other : Text
type Gaps<Text> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | Gaps<Rest> : never
/** Values of the gaps. Numbers are formatted for the seller's locale. */
type Values<Text> = { [Gap in Gaps<Forms<Text>>]: string | number }

/** Creates the functions that look up a set of messages. */
export function createText<const Known extends Messages>(messages: Known) {
  return {
    /** Returns a message with its gaps filled. `n` selects the plural form. */
    text<Name extends keyof Known & string>(
      name: Name,
      ...[values]: Gaps<Forms<Known[Name]>> extends never ? [] : [values: Values<Known[Name]>]
    ): string {
      const message = messages[name] as Message
      const given: Record<string, string | number> = values ?? {}
      const form = typeof message === 'string' ? message : message[pluralForm(given.n)]
      return form.replace(/\{(\w+)\}/g, (_, gap: string) => formatted(given[gap]))
    },

    /** Returns a message, or null if there is none by that name. */
    textIfAny(name: string): string | null {
      const message: unknown = Object.hasOwn(messages, name) ? Reflect.get(messages, name) : null
      return typeof message === 'string' ? message : null
    },

    /** Splits a message at its gaps: text and gap names alternate, text first. */
    gapsOf(name: keyof Known & string): string[] {
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

/** Isolates foreign text inside ours: removes direction marks and keeps right-to-left text in place. */
function apart(value: string): string {
  const plain = value.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(plain) ? `\u2068${plain}\u2069` : plain
}
