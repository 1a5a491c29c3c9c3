// The content of the demo's four courses, as data.

export interface CourseContent {
  readonly name: string;
  readonly course_code: string;
  readonly syllabus: string;
  readonly pages: readonly { readonly title: string; readonly body: string; readonly picture?: number }[];
  readonly assignments: readonly {
    readonly name: string;
    readonly description: string;
    readonly points: number;
    /** Days from today; null for undated. */
    readonly due?: number;
    readonly types: readonly string[];
    readonly group: string;
    /** The demo student's score; it was submitted at that time. */
    readonly mine?: number;
  }[];
  /** Posted this many days ago; read by the demo student or not. */
  readonly announcements: readonly {
    readonly title: string;
    readonly message: string;
    readonly since: number;
    readonly isRead?: boolean;
  }[];
  readonly discussions: readonly { readonly title: string; readonly message: string; readonly entries: readonly string[] }[];
  readonly modules: readonly {
    readonly name: string;
    readonly items: readonly (readonly [
      type: 'Page' | 'Assignment' | 'Discussion' | 'SubHeader' | 'ExternalUrl',
      title: string,
      requirement?: string,
    ])[];
  }[];
  /** Items that the demo student has viewed, in this order. */
  readonly viewed?: readonly string[];
}

export const contents: readonly CourseContent[] = [
  {
    name: 'Introduction to Astronomy',
    course_code: 'AST 101',
    syllabus: '<p>From naked-eye observation to the expanding universe, in fourteen weeks. Bring a warm coat to the observing nights.</p>',
    pages: [
      {
        title: 'Welcome to the night sky',
        picture: 1,
        body: '<p>Look up on a clear evening, away from street lights, and wait. After twenty minutes your eyes have adapted, and where there were a hundred stars there are two thousand.</p><h2>What this course is about</h2><p>Astronomy is the oldest science and one of the youngest: the calendar comes from it, and so does the discovery that most of the universe is made of something nobody has seen.</p><blockquote>Somewhere, something incredible is waiting to be known.</blockquote><p>Start with the <a href="file:Syllabus.pdf">syllabus</a>: it says which nights we observe, and what to wear.</p>',
      },
      {
        title: 'How telescopes gather light',
        picture: 2,
        body: '<p>A telescope is a bucket for light. Its first duty is not to magnify but to collect.</p><table><thead><tr><th>Aperture</th><th>Compared with the eye</th><th>Faintest star</th></tr></thead><tbody><tr><td>7 mm (eye)</td><td>1</td><td>6.0</td></tr><tr><td>50 mm</td><td>51</td><td>10.3</td></tr><tr><td>200 mm</td><td>816</td><td>13.3</td></tr></tbody></table><p>The gathered light grows with the <em>square</em> of the aperture, \\(F \\propto D^2\\); what lies closer together than</p><p>$$\\theta \\approx 1.22\\,\\frac{\\lambda}{D}$$</p><p>becomes one point.</p>',
      },
      {
        title: 'Reading a light curve',
        picture: 3,
        body: '<p>When a planet crosses its star, the star dims: by one per cent for a Jupiter, by a hundredth of a per cent for an Earth. The depth gives the size, the period gives the distance.</p><ol><li>Fold the data on a trial period.</li><li>Look for a flat-bottomed dip.</li><li>Ask what else could have made it.</li></ol>',
      },
      {
        title: 'Observing nights',
        body: '<p>Every Thursday after dusk on the roof of the physics building, weather permitting. Red torches only.</p><ul><li>Dress for five degrees less than it is.</li><li>Let your eyes adapt before you come up.</li></ul>',
      },
    ],
    assignments: [
      {
        name: 'Moon diary, week one',
        description: '<p>Draw the moon on four evenings and note the time and its height above the horizon.</p>',
        points: 10,
        due: -12,
        types: ['online_upload', 'online_text_entry'],
        group: 'Observations',
        mine: 9,
      },
      {
        name: 'Essay: what is a planet?',
        description: '<p>Eight hundred words on the definition of 2006, and whether it should stand.</p>',
        points: 40,
        due: 2,
        types: ['online_text_entry', 'online_upload'],
        group: 'Essays',
      },
      {
        name: 'Exoplanet transit lab',
        description: '<p>Use the spreadsheet of brightness measurements in the course files. Find the period and the planet’s radius.</p>',
        points: 25,
        due: 6,
        types: ['online_upload'],
        group: 'Labs',
      },
      {
        name: 'Reading: chapter four',
        description: '<p>Read chapter four before the seminar.</p>',
        points: 0,
        due: 1,
        types: ['none'],
        group: 'Observations',
      },
      {
        name: 'Final project',
        description: '<p>An observation of your own, planned, made and written up.</p>',
        points: 100,
        due: 33,
        types: ['online_upload', 'online_url'],
        group: 'Essays',
      },
    ],
    announcements: [
      {
        title: 'Observing night moved to Friday',
        message: '<p>Clouds on Thursday, clear on Friday: we go with the sky. Same place, half past seven.</p>',
        since: 1,
      },
      {
        title: 'The transit data are in the files',
        message: '<p>You will find the brightness measurements under <em>Labs</em>. Two of the stars have no planet; say how you know.</p>',
        since: 6,
        isRead: true,
      },
    ],
    discussions: [
      {
        title: 'Is there life elsewhere?',
        message: '<p>Give one argument, and the observation that would prove you wrong.</p>',
        entries: [
          'Given two hundred billion stars in our galaxy alone, I would be surprised if not.',
          'A big number times an unknown number is still an unknown number.',
          'Oxygen and methane together in an atmosphere would convince me.',
        ],
      },
    ],
    modules: [
      {
        name: 'Week 1: The sky above',
        items: [
          ['Page', 'Welcome to the night sky', 'must_view'],
          ['Assignment', 'Moon diary, week one', 'must_submit'],
          ['ExternalUrl', 'Tonight’s sky'],
        ],
      },
      {
        name: 'Week 2: Light',
        items: [
          ['SubHeader', 'Instruments'],
          ['Page', 'How telescopes gather light', 'must_view'],
          ['Page', 'Observing nights'],
          ['Assignment', 'Reading: chapter four', 'must_mark_done'],
        ],
      },
      {
        name: 'Week 3: Other worlds',
        items: [
          ['Page', 'Reading a light curve', 'must_view'],
          ['Assignment', 'Exoplanet transit lab', 'must_submit'],
          ['Discussion', 'Is there life elsewhere?', 'must_contribute'],
        ],
      },
    ],
    viewed: ['Welcome to the night sky', 'How telescopes gather light'],
  },
  {
    name: 'Organic Chemistry I',
    course_code: 'CHE 210',
    syllabus: '<p>Structure, mechanism, synthesis. Problem sets weekly; the lowest is dropped.</p>',
    pages: [
      {
        title: 'Drawing mechanisms',
        picture: 4,
        body: '<p>A curved arrow shows where <strong>two electrons</strong> go: from a bond or a lone pair, to an atom or between two.</p><ul><li>Never draw an arrow from a positive charge.</li><li>Check that charge is conserved in every step.</li></ul>',
      },
      {
        title: 'Safety in the teaching laboratory',
        body: '<p>Goggles from the door to the door. If you do not know what is in a flask, do not open it.</p>',
      },
      {
        title: 'Stereochemistry in one page',
        picture: 5,
        body: '<p>Rank the four neighbours by atomic number, look from the side away from the lowest, and follow the others: clockwise is <em>R</em>, anticlockwise is <em>S</em>.</p>',
      },
    ],
    assignments: [
      {
        name: 'Problem set 6',
        description: '<p>Substitution and elimination: ten problems.</p>',
        points: 20,
        due: -3,
        types: ['online_upload'],
        group: 'Problem sets',
      },
      {
        name: 'Problem set 7',
        description: '<p>Additions to alkenes: eight problems.</p>',
        points: 20,
        due: 4,
        types: ['online_upload'],
        group: 'Problem sets',
      },
      {
        name: 'Laboratory report: recrystallisation',
        description: '<p>Use the template. State the yield with its uncertainty.</p>',
        points: 50,
        due: 9,
        types: ['online_upload', 'online_text_entry'],
        group: 'Laboratory',
      },
    ],
    announcements: [
      { title: 'Office hours this week', message: '<p>Tuesday instead of Wednesday, three to five, room 2.14.</p>', since: 4 },
    ],
    discussions: [
      {
        title: 'Questions on problem set 7',
        message: '<p>Ask here, answer each other; I look in every evening.</p>',
        entries: ['Does question five want both products?', 'Yes, and say which one is the major.'],
      },
    ],
    modules: [
      {
        name: 'Unit 3: Substitution',
        items: [
          ['Page', 'Drawing mechanisms', 'must_view'],
          ['Assignment', 'Problem set 6', 'must_submit'],
        ],
      },
      {
        name: 'Unit 4: Addition',
        items: [
          ['Page', 'Stereochemistry in one page', 'must_view'],
          ['Assignment', 'Problem set 7', 'must_submit'],
          ['Discussion', 'Questions on problem set 7'],
        ],
      },
      {
        name: 'Laboratory',
        items: [
          ['Page', 'Safety in the teaching laboratory', 'must_mark_done'],
          ['Assignment', 'Laboratory report: recrystallisation'],
        ],
      },
    ],
  },
  {
    name: '日本語 I: Beginning Japanese',
    course_code: 'JPN 101',
    syllabus: '<p lang="ja">はじめまして。どうぞよろしくお願いします。</p><p>Four skills, two syllabaries, one hundred kanji.</p>',
    pages: [
      {
        title: 'ひらがな: the first syllabary',
        picture: 6,
        body: '<p lang="ja">あいうえお・かきくけこ・さしすせそ・たちつてと・なにぬねの</p><p>Write each ten times, slowly. Stroke order is not decoration: it is how others read your hand.</p>',
      },
      {
        title: 'Greetings',
        body: '<dl><dt lang="ja">おはようございます</dt><dd>Good morning</dd><dt lang="ja">こんにちは</dt><dd>Good day</dd><dt lang="ja">おやすみなさい</dt><dd>Good night</dd></dl>',
      },
    ],
    assignments: [
      {
        name: '宿題 5: Introduce your family',
        description: '<p>Ten sentences with <span lang="ja">います</span> and <span lang="ja">の</span>.</p>',
        points: 15,
        due: 0,
        types: ['online_text_entry'],
        group: '宿題',
      },
      {
        name: 'Listening exercise 3',
        description: '<p>Use the recording in the course files.</p>',
        points: 10,
        due: 5,
        types: ['online_text_entry', 'online_upload'],
        group: '宿題',
      },
    ],
    announcements: [
      {
        title: 'Conversation table',
        message: '<p>Every Friday at noon in the canteen. Bring a question, any question.</p>',
        since: 9,
        isRead: true,
      },
    ],
    discussions: [
      {
        title: '自己紹介',
        message: '<p>Introduce yourself in three sentences.</p>',
        entries: ['はじめまして。ヨナスです。ドイツから来ました。', 'マヤです。猫が好きです。'],
      },
    ],
    modules: [
      {
        name: '第一課',
        items: [
          ['Page', 'ひらがな: the first syllabary', 'must_view'],
          ['Discussion', '自己紹介', 'must_contribute'],
        ],
      },
      {
        name: '第二課',
        items: [
          ['Page', 'Greetings', 'must_view'],
          ['Assignment', '宿題 5: Introduce your family', 'must_submit'],
          ['Assignment', 'Listening exercise 3'],
        ],
      },
    ],
    viewed: ['ひらがな: the first syllabary'],
  },
  {
    name: 'A History of Libraries',
    course_code: 'HIS 240',
    syllabus: '<p>Who kept books, for whom, and who was kept out: Nineveh to the network.</p>',
    pages: [
      {
        title: 'The carrel',
        picture: 7,
        body: '<p>In the cloister of a monastery, along the windows, stood small wooden stalls in which one monk could read by daylight. Such a stall was called a <em>carrel</em>.</p><p>The idea is older than the word: to study one needs a place of one’s own, near the books.</p>',
      },
      {
        title: 'Catalogues before cards',
        body: '<p>Callimachus of Cyrene listed the scrolls of Alexandria in a hundred and twenty books of <em>Pinakes</em>. Not one survives; we know them from those who copied.</p>',
      },
    ],
    assignments: [
      {
        name: 'Object study',
        description: '<p>Choose one object of a library that is not a book. Tell its history in a thousand words.</p>',
        points: 60,
        due: 12,
        types: ['online_upload', 'online_text_entry'],
        group: 'Papers',
      },
      {
        name: 'Reading journal',
        description: '<p>A page a week, kept until the end of term. Bring it to every seminar.</p>',
        points: 20,
        types: ['on_paper'],
        group: 'Papers',
      },
      {
        name: 'Archive visit reflection',
        description: '<p>What surprised you?</p>',
        points: 10,
        due: -20,
        types: ['online_text_entry'],
        group: 'Papers',
      },
    ],
    announcements: [
      { title: 'Visit to the special collections', message: '<p>Meet at the north door at ten. Pencils only.</p>', since: 2 },
    ],
    discussions: [],
    modules: [
      {
        name: 'Places to read',
        items: [
          ['Page', 'The carrel', 'must_view'],
          ['Page', 'Catalogues before cards', 'must_mark_done'],
          ['Assignment', 'Object study'],
        ],
      },
    ],
  },
];
