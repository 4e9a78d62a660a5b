/** Maximum length of a platform's answer, in characters. About forty times a closet page. */
export const maxAnswerChars = 8_000_000
