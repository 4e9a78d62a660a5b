import { createText } from './create-text.ts'
import { commonMessages } from './en/common.ts'
import { uiMessages } from './en/ui.ts'

const messages = { ...commonMessages, ...uiMessages }
export type TextName = keyof typeof messages

/** The texts of our own pages; what runs in platforms' pages carries its own alone (text-in-pages.ts). */
export const { text, textIfAny, gapsOf } = createText(messages)
