"""What the demo websites say: campaigns, posts, positions and services, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from pms.rules.enumerations import HandbookTopic


@dataclass(frozen=True)
class CampaignPlan:
    """An offer; days count from today, no last day is open-ended."""

    slug: str
    first_day: int
    last_day: int | None
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    units: int
    is_published: bool = True


@dataclass(frozen=True)
class PostPlan:
    """A post; `day` counts from today, a draft has none."""

    slug: str
    day: int | None
    title_ja: str
    title_en: str | None
    summary_ja: str
    summary_en: str | None
    body_ja: str
    body_en: str | None


@dataclass(frozen=True)
class NoticePlan:
    """A position or a service."""

    slug: str
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    place_ja: str | None = None
    place_en: str | None = None
    is_published: bool = True


CAMPAIGNS = (
    CampaignPlan(
        "first-month-half", -20, 40, "初月賃料半額キャンペーン", "First month at half rent",
        "期間中に申し込み、六か月以上住む方は、最初の月の賃料を **50%** 割引します。",
        "Apply during the campaign, stay six months or longer, and the first month's rent is "
        "**50% off**.", 14,
    ),
    CampaignPlan(
        "no-reservation-fee", -5, None, "予約金ゼロ", "No reservation fee",
        "対象の部屋は予約金が **0円** です。先着順で、なくなり次第終わります。",
        "For these rooms the reservation fee is **¥0**, first come, first served.", 6,
    ),
    CampaignPlan(
        "spring-move", 30, 120, "新生活応援・家賃5,000円引き", "New start: ¥5,000 off the rent",
        "入居から六か月間、毎月の賃料を **5,000円** 割引します。",
        "**¥5,000 off** the rent of each of the first six months.", 10,
    ),
    CampaignPlan(
        "summer-friends", -200, -110, "お友だち紹介キャンペーン", "Bring a friend",
        "紹介した方とされた方に、それぞれ **10,000円** 分の商品券をお贈りしました。",
        "Both friends received gift cards worth **¥10,000**.", 8,
    ),
    CampaignPlan(
        "roof-garden", -3, 60, "屋上菜園の区画つき", "With a plot on the roof",
        "準備中の企画です。", "An offer still being prepared.", 2, is_published=False,
    ),
)  # fmt: skip

POSTS = (
    PostPlan(
        "moving-in-one-day", -96, "スーツケースひとつで引っ越した日", "The day I moved with one suitcase",
        "家具付きの部屋に、電車で引っ越してきた人の一日。",
        "One day with somebody who moved into a furnished room by train.",
        "朝十時、駅の改札で待ち合わせました。\n\n荷物は **スーツケースひとつ** と観葉植物。"
        "部屋には布団も机もそろっているので、午後には近所の商店街でコロッケを食べていました。\n\n"
        "## 持ってきてよかったもの\n\n- 自分のマグカップ\n- 延長コード\n- 室内履き",
        "We met at the ticket gate at ten.\n\nThe luggage: **one suitcase** and a plant. Bedding and "
        "desk were waiting, so by the afternoon we were eating croquettes in the shopping street.\n\n"
        "## Good to have brought\n\n- a mug of your own\n- an extension cord\n- slippers",
    ),
    PostPlan(
        "rubbish-made-simple", -61, "ごみの分け方、これだけ覚えれば大丈夫",
        "Sorting rubbish: all you need to know",
        "燃えるごみ、プラスチック、資源。冷蔵庫に貼れる一枚にまとめました。",
        "Burnable, plastic, recyclables: one page for the refrigerator door.",
        "地域によって曜日は違いますが、考え方は同じです。\n\n1. 生ごみと紙くずは **燃えるごみ**\n"
        "2. 洗って乾かした容器は **プラスチック**\n3. びん、缶、ペットボトル、段ボールは **資源**\n\n"
        "迷ったら共用キッチンの表を見るか、住人に聞いてください。",
        "Days differ from ward to ward; the idea is the same.\n\n1. Food and tissues are "
        "**burnable**\n2. Rinsed, dry packaging is **plastic**\n3. Bottles, cans and cardboard are "
        "**recyclable**\n\nIn doubt, look at the chart in the kitchen or ask a neighbour.",
    ),
    PostPlan(
        "hot-pot-on-the-roof", -24, "屋上の鍋、ことしも始まりました", "Hot pot on the roof is back",
        "月に一度の屋上の集まり。参加は材料ひとつで。",
        "Our monthly evening on the roof. The entrance fee is one ingredient.",
        "白菜、豆腐、春菊、そして誰かの実家から届いた鮭。\n\n来月は第二土曜日、**午後六時** からです。"
        "上着を忘れずに。",
        "Napa cabbage, tofu, chrysanthemum greens, and salmon from somebody's parents.\n\nNext month: "
        "the second Saturday, **from six**. Bring a coat.",
    ),
    PostPlan(
        "contract-words", -9, "契約書のことば：予約金と敷金の違い",
        "Words of the contract: reservation fee and deposit",
        "戻ってくるのはどちらか、いつ戻るのか。", "Which of the two comes back, and when.",
        "**予約金** は部屋を押さえるためのお金で、戻りません。**敷金** はお預かりするお金で、退去のときに"
        "未払い分などを差し引いて返します。\n\n退去の連絡は30日前まで（31日以内の契約は15日前まで）です。",
        "The **reservation fee** holds the room for you and does not come back. The **deposit** is "
        "yours and returns when you leave, less anything unpaid.\n\nTell us 30 days before you leave "
        "(15 for contracts of 31 days or fewer).",
    ),
    PostPlan(
        "quiet-hours", -2, "静かな時間のこと", None, "夜十時からの、ちいさな約束。", None,
        "夜十時を過ぎたら、廊下の電話と洗濯機はおやすみです。イヤホンは玄関の箱にあります。", None,
    ),
    PostPlan(
        "new-house-by-the-canal", 12, "運河沿いに新しい家ができます", "A new house by the canal",
        "来春、十二部屋の家を開きます。", "Twelve rooms, opening next spring.",
        "工事中の写真とともに、間取りを少しずつ公開します。",
        "Floor plans follow, with pictures of the works.",
    ),
    PostPlan(
        "winter-heating-tips", None, "冬の電気代を抑える五つの工夫", "Five ways to a smaller heating bill",
        "下書き：エアコンと湯たんぽの使い方。", "Draft: air conditioners and hot-water bottles.",
        "（書きかけ）窓に断熱シートを貼る。", "(unfinished) Put film on the windows.",
    ),
)  # fmt: skip

POSITIONS = (
    NoticePlan(
        "community-manager", "コミュニティマネージャー", "Community manager",
        "シェアハウスの入居案内、行事の企画、住人の相談。日本語と英語を使います。週3日から。",
        "Welcome new residents, plan evenings together, listen. Japanese and English; three days a "
        "week or more.", "若葉町", "Wakaba",
    ),
    NoticePlan(
        "housekeeping", "清掃スタッフ", "Housekeeping",
        "退去後の部屋と共用部の清掃。午前中だけの勤務もできます。",
        "Clean rooms between residents, and the shared spaces. Mornings only is fine.",
        "みどり野区・風早区", "Midorino and Kazahaya",
    ),
    NoticePlan(
        "maintenance-engineer", "設備担当", "Maintenance engineer",
        "水回り、電気、建具の小さな修理。第二種電気工事士の方を歓迎します。",
        "Small repairs: water, electricity, doors. A class-2 electrician's licence is welcome.",
        "全物件", "All houses",
    ),
    NoticePlan(
        "bookkeeper", "経理担当", "Bookkeeper", "募集を終えました。", "This position is filled.",
        None, None, is_published=False,
    ),
)  # fmt: skip

SERVICES = (
    NoticePlan(
        "subleasing", "サブリース", "Subleasing",
        "建物を一棟お借りし、空室の心配なく毎月の賃料をお支払いします。",
        "We lease the whole building and pay its owner every month, let or not.",
    ),
    NoticePlan(
        "management", "管理代行", "Management",
        "募集、契約、家賃の集金、修理の手配、退去の立ち会いまでを代行します。",
        "Advertising, contracts, rent, repairs and the handover on leaving.",
    ),
    NoticePlan(
        "corporate-housing", "法人契約", "Corporate housing",
        "研修や転勤のための部屋を、ひと月から会社名義でご用意します。",
        "Rooms for training and transfers in the company's name, from one month.",
    ),
    NoticePlan(
        "renovation", "改装の相談", "Renovation", "公開準備中です。", "Soon to be announced.",
        is_published=False,
    ),
)  # fmt: skip

HANDBOOK = (
    (
        HandbookTopic.RUBBISH, "ごみ出し", "Rubbish",
        "燃えるごみは月・木、プラスチックは水、資源は土。朝八時までに建物横の置き場へ。",
        "Burnable on Monday and Thursday, plastic on Wednesday, recyclables on Saturday; beside the "
        "house before eight.", None,
    ),
    (
        HandbookTopic.ENTRANCE, "玄関の暗証番号", "Entrance code",
        "番号のあとに # を押してください。月に一度変わります。",
        "Press # after the digits. It changes every month.", "{digits}#",
    ),
    (
        HandbookTopic.WIFI, "Wi-Fi", "Wi-Fi", "ネットワーク名は {network} です。", "The network is called {network}.", "{password}",
    ),
    (
        HandbookTopic.SHUT_OFF, "ブレーカーと水の元栓", "Fuse box and water valve",
        "ブレーカーは玄関の上、元栓は玄関横の青い蓋の下にあります。",
        "The fuse box is over the entrance; the valve lies under the blue lid beside it.", None,
    ),
    (
        HandbookTopic.EMERGENCY, "近くの病院", "Doctors nearby", "内科と歯科は駅前にあります。夜間は119へ。",
        "General practice and dentist at the station. At night call 119.", None,
    ),
)  # fmt: skip
