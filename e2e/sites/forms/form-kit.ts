/** The values of a stand-in's form, as its own scripts see them. */
export interface FormModel {
  photos: { name: string; size: number; type: string }[]
  title: string
  description: string
  category: string[]
  size: string
  condition: string
  brand: string
  colors: string[]
  price: string
  sku: string
  shipping: string
}

/** Helpers of the stand-ins' forms. Runs in the page, so it must be self-contained. */
function formKit() {
  const model: FormModel = {
    photos: [],
    title: '',
    description: '',
    category: [],
    size: '',
    condition: '',
    brand: '',
    colors: [],
    price: '',
    sku: '',
    shipping: '',
  }
  /** Everything that the site would have submitted without a click on its button. */
  const presses: string[] = []
  Reflect.set(globalThis, 'form', { model, presses })

  return {
    model,
    presses,
    wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    get: <T extends Element = HTMLElement>(selector: string, within: ParentNode = document) =>
      within.querySelector<T>(selector),

    /** A controlled field as in React: a value set by script without an event is reverted. */
    control(field: HTMLInputElement | HTMLTextAreaElement, set: (value: string) => string | undefined) {
      const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!
      let tracked = field.value
      let state = field.value
      Object.defineProperty(field, 'value', {
        configurable: true,
        get: () => own.get!.call(field),
        set(value: string) {
          tracked = String(value)
          own.set!.call(field, value)
        },
      })
      field.addEventListener('input', () => {
        const value = own.get!.call(field)
        if (value !== tracked) {
          tracked = value
          state = set(value) ?? value
        }
        if (own.get!.call(field) !== state) {
          tracked = state
          own.set!.call(field, state)
        }
      })
      field.addEventListener('blur', () => {
        tracked = state
        own.set!.call(field, state)
      })
      return (value: string) => {
        state = value
        tracked = value
        own.set!.call(field, value)
      }
    },

    /** Returns an element made of markup. */
    make(html: string): HTMLElement {
      const template = document.createElement('template')
      template.innerHTML = html.trim()
      return template.content.firstElementChild as HTMLElement
    },
    quote: (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
  }
}

export type FormKit = ReturnType<typeof formKit>

/** Returns a script tag that runs `script` with the kit and `options`. */
export function scriptTag<Options>(
  script: (kit: FormKit, options: Options) => void | Promise<void>,
  options: Options,
): string {
  const json = JSON.stringify(options).replace(/</g, '\\u003c')
  return `<script type="module">(${script})((${formKit})(), ${json})</script>`
}
