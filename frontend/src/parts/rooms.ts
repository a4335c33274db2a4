/** The room of the site that a page is in; '' of none that has a list. */
export type Room = 'runs' | 'experiments' | 'studies' | 'models' | 'sources' | 'tables' | 'tv' | 'docs' | ''
/** Kinds of page that say once, in three sentences, what can be done on them. */
export type Tour = 'lobby' | 'run' | 'runs' | 'experiment' | 'question' | 'models'
