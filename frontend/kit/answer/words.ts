import { speakerOf } from '../speaking'

/** What the controls of an answer say by themselves, in both languages; the game's own words come with its schema. */
export const answerWords = {
  en: {
    less: 'Less',
    more: 'More',
    ofMost: 'of {most} {unit}',
    from: '{low} to {high} {unit}',
    spent: '{n} of {most} {unit}',
    spentFree: '{n} {unit}',
    costs: 'costs {n}',
    units: '{n|point|points}',
    use: 'Use {n} {unit}',
    useNone: 'Use no {unit}',
    send: 'Send {what}',
    choose: 'Choose first',
    chooseAmount: 'Choose an amount',
    written: '{n} of {most} {most|character|characters}',
    cell: 'row {row}, column {col}',
    cellKeys: 'Arrow keys walk the cells, Enter or Space chooses.',
    to: '{unit} to {name}',
  },
  zh: {
    less: '减少',
    more: '增加',
    ofMost: '满 {most} {unit}',
    from: '{low} 至 {high} {unit}',
    spent: '{n} / {most} {unit}',
    spentFree: '{n} {unit}',
    costs: '花费 {n}',
    units: '{n|点|点}',
    use: '使用 {n} {unit}',
    useNone: '不使用{unit}',
    send: '提交 {what}',
    choose: '请先选择',
    chooseAmount: '请选择数额',
    written: '{n} / {most} 字',
    cell: '第 {row} 行，第 {col} 列',
    cellKeys: '方向键移动，回车或空格选择。',
    to: '{unit}给 {name}',
  },
} as const

export const answerSpeaker = speakerOf<keyof typeof answerWords.en>(answerWords)
