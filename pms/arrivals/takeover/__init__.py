"""Take-over of tenancies: a rent roll read into rooms, people, money and open questions."""
