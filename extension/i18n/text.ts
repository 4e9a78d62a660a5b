import { createText } from './create-text.ts'
import { commonMessages } from './en/common.ts'
import { differencesMessages } from './en/differences.ts'
import { filesMessages } from './en/files.ts'
import { itemFormMessages } from './en/item-form.ts'
import { salesMessages } from './en/sales.ts'
import { uiMessages } from './en/ui.ts'

const messages = {
  ...commonMessages,
  ...uiMessages,
  ...itemFormMessages,
  ...salesMessages,
  ...filesMessages,
  ...differencesMessages,
}
export type TextName = keyof typeof messages

/** Messages of our own pages. Content scripts have their own (content-text.ts). */
export const { text, textIfAny, gapsOf } = createText(messages)
